# An overlay port: builds the source tree that it lies in.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../../.." ABSOLUTE)
# Headers only: the same for every build type, and no run paths to mend.
set(VCPKG_BUILD_TYPE release)
set(VCPKG_FIXUP_ELF_RPATH OFF)
set(VCPKG_POLICY_SKIP_PKGCONFIG_CHECK enabled)  # gnp.pc is in share/: it links what every system has

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DGNP_TESTS=OFF -DGNP_EXAMPLES=OFF -DGNP_BENCHMARKS=OFF -DGNP_INSTALL=ON)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH share/cmake/gnp)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/share/doc")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
file(INSTALL "${CURRENT_PORT_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
