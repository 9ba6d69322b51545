# gnp::compiled: the headers' functions and their most used templates, compiled once, so that a file that uses them takes
# a fraction of the time to compile. Shared by gnp's own build and its installed package, so that the library is built
# by the compiler, and for the machine, that the user's program is.

# What gnp's code depends on when compiled with the flags of this folder: its namespace, and the version of the
# compiler's ABI, as "v0_1_0_cuda_eigen=1017".
function(gnp_find_kind include result)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  separate_arguments(flags UNIX_COMMAND "${CMAKE_CXX_COMPILER_ARG1} ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${config}}")
  get_directory_property(options COMPILE_OPTIONS)
  get_directory_property(definitions COMPILE_DEFINITIONS)
  get_directory_property(folders INCLUDE_DIRECTORIES)
  list(TRANSFORM definitions PREPEND -D)
  list(TRANSFORM folders PREPEND -I)
  list(APPEND flags ${options} ${definitions} ${folders})
  list(FILTER flags EXCLUDE REGEX "\\$<")
  if(CMAKE_CXX_COMPILER_TARGET AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    list(APPEND flags --target=${CMAKE_CXX_COMPILER_TARGET})
  endif()
  if(DEFINED GNP_CUDA AND NOT GNP_CUDA STREQUAL "AUTO" AND NOT GNP_CUDA)
    list(APPEND flags -DGNP_NO_CUDA)
  elseif(GNP_CUDA_INCLUDE_DIR)
    list(APPEND flags -isystem ${GNP_CUDA_INCLUDE_DIR})
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/gnp_kind.cpp)
  file(WRITE ${source} "#include <gnp/core/config.hpp>\ngnp_kind GNP_ABI = __GXX_ABI_VERSION\n")
  execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${flags} -std=c++20 -I${include} -E -P ${source}
    OUTPUT_VARIABLE text ERROR_QUIET)
  if(text MATCHES "gnp_kind +([a-z0-9_]+) *= *([0-9]+)")
    set(${result} "${CMAKE_MATCH_1}=${CMAKE_MATCH_2}" PARENT_SCOPE)
  else()
    set(${result} "" PARENT_SCOPE)
  endif()
endfunction()

# gnp_add_compiled(folder of the headers): the target gnp_compiled, built when something links it. Static, or shared
# where BUILD_SHARED_LIBS says so.
function(gnp_add_compiled include)
  gnp_find_kind(${include} kind)
  if(NOT kind)
    # A compiler that cannot be asked, or none for C++20: the headers alone.
    add_library(gnp_compiled INTERFACE)
    target_link_libraries(gnp_compiled INTERFACE gnp::gnp)
    add_library(gnp::compiled ALIAS gnp_compiled)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${include}/gnp/compiled/*.cpp)
  # Where a project reads several files as one: this one reads the headers otherwise than the rest.
  set_source_files_properties(${include}/gnp/compiled/functions.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_library(gnp_compiled EXCLUDE_FROM_ALL ${sources})
  add_library(gnp::compiled ALIAS gnp_compiled)
  target_link_libraries(gnp_compiled PUBLIC gnp::gnp)
  target_compile_definitions(gnp_compiled PUBLIC GNP_COMPILED GNP_COMPILED_${kind})
  set_target_properties(gnp_compiled PROPERTIES OUTPUT_NAME gnp POSITION_INDEPENDENT_CODE ON CXX_EXTENSIONS OFF)
  # Also where a program is built to be debugged, for this is not what is debugged. -O3 would gain nothing.
  if(NOT GNP_SANITIZE AND NOT CMAKE_CXX_FLAGS MATCHES "-O[0-9a-z]")
    target_compile_options(gnp_compiled PRIVATE -O2)
  endif()
endfunction()

# gnp_precompile(target): the target's files find gnp/gnp.hpp read already. For many files: this reading takes a file
# two seconds, and as long again once for the target.
function(gnp_precompile target)
  target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:<gnp/gnp.hpp$<ANGLE-R>>")
endfunction()
