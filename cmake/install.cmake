# Headers, the package that find_package(gnp) reads, gnp.pc for pkg-config, and the licence.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/gnp)
set(pkgconfig_dir ${CMAKE_INSTALL_DATADIR}/pkgconfig)

install(DIRECTORY include/gnp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT gnp FILES_MATCHING
  PATTERN "*.hpp" PATTERN "*.cpp")
install(TARGETS gnp EXPORT gnpTargets COMPONENT gnp INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gnpTargets NAMESPACE gnp:: DESTINATION ${package_dir} COMPONENT gnp)

configure_package_config_file(cmake/gnpConfig.cmake.in ${PROJECT_BINARY_DIR}/gnpConfig.cmake
  INSTALL_DESTINATION ${package_dir} PATH_VARS CMAKE_INSTALL_INCLUDEDIR)
# Before 1.0 a minor version may change names.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gnpConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/gnpConfig.cmake ${PROJECT_BINARY_DIR}/gnpConfigVersion.cmake
  cmake/gnpCuda.cmake cmake/gnpCompiled.cmake DESTINATION ${package_dir} COMPONENT gnp)

# Headers are found from where gnp.pc lies, so that a moved prefix still serves.
if(IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}" OR IS_ABSOLUTE "${pkgconfig_dir}")
  set(pkgconfig_prefix ${CMAKE_INSTALL_PREFIX})
  set(pkgconfig_includedir ${CMAKE_INSTALL_FULL_INCLUDEDIR})
else()
  string(REGEX REPLACE "[^/]+" ".." up_to_prefix ${pkgconfig_dir})
  set(pkgconfig_prefix "\${pcfiledir}/${up_to_prefix}")
  set(pkgconfig_includedir "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file(cmake/gnp.pc.in ${PROJECT_BINARY_DIR}/gnp.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/gnp.pc DESTINATION ${pkgconfig_dir} COMPONENT gnp)

install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT gnp_licence)
