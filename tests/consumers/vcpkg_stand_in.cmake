# Runs the portfile of CURRENT_PORT_DIR with the little of vcpkg's functions that it uses.
# cmake -DSCRATCH=… -DCURRENT_PACKAGES_DIR=… -DCURRENT_PORT_DIR=… -DPORT=… -DCMAKE_CXX_COMPILER=… -P vcpkg_stand_in.cmake
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "vcpkg_cmake_configure does not know ${arg_UNPARSED_ARGUMENTS}")
  endif()
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${arg_SOURCE_PATH} -B ${SCRATCH} ${arg_OPTIONS}
    -DCMAKE_INSTALL_PREFIX=${CURRENT_PACKAGES_DIR} -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_install)
  execute_process(COMMAND ${CMAKE_COMMAND} --install ${SCRATCH} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(RENAME ${CURRENT_PACKAGES_DIR}/${arg_CONFIG_PATH} ${CURRENT_PACKAGES_DIR}/share/${PORT})
endfunction()

function(vcpkg_fixup_pkgconfig)
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  configure_file(${arg_FILE_LIST} ${CURRENT_PACKAGES_DIR}/share/${PORT}/copyright COPYONLY)
endfunction()

include(${CURRENT_PORT_DIR}/portfile.cmake)
