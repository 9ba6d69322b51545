# cpack makes a Debian package: the headers for every architecture, and nothing to run.
set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR OFF)
set(CPACK_PACKAGE_NAME libgnp-dev)
set(CPACK_PACKAGE_VENDOR "The gnp authors")
set(CPACK_PACKAGE_CONTACT "The gnp authors")
set(CPACK_PACKAGE_DESCRIPTION "\
Arrays, formulas, reductions, linear algebra and random numbers with NumPy's
names and rules. Kernels are generated from expressions and compiled by NVRTC
while the program runs; the same program computes on the CPU where there is no
GPU. Headers only: nothing is linked, CUDA's libraries are opened at run time.")

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "g++ (>= 4:12) | clang (>= 1:14), libeigen3-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cuda-toolkit-13 | cuda-toolkit-12 | nvidia-cuda-dev (>= 12), cmake, pkg-config")

# One package of the components named; Debian wants the licence where only a Debian package has it.
install(FILES LICENSE DESTINATION share/doc/${CPACK_PACKAGE_NAME} RENAME copyright
  COMPONENT gnp_debian EXCLUDE_FROM_ALL)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL gnp gnp_debian)

# Nothing that is built is installed: neither cpack nor `make install` builds the tests and examples first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

include(CPack)
