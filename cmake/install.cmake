# Headers and the package that find_package(gnp) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_DATADIR}/cmake/gnp)

install(DIRECTORY include/gnp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS gnp EXPORT gnpTargets INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT gnpTargets NAMESPACE gnp:: DESTINATION ${package_dir})

configure_package_config_file(cmake/gnpConfig.cmake.in ${PROJECT_BINARY_DIR}/gnpConfig.cmake
  INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change names.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gnpConfigVersion.cmake
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES ${PROJECT_BINARY_DIR}/gnpConfig.cmake ${PROJECT_BINARY_DIR}/gnpConfigVersion.cmake
  cmake/gnpCuda.cmake DESTINATION ${package_dir})
