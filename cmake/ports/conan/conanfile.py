"""gnp for Conan 2, packed from the source tree that this recipe lies in:  conan create cmake/ports/conan"""
import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load, save

SOURCE = os.path.join("..", "..", "..")  # from this recipe


class Gnp(ConanFile):
    name = "gnp"
    description = "NumPy for the GPU as a C++20 header"
    license = "MIT"
    topics = ("numpy", "array", "gpu", "cuda", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"with_eigen": [True, False]}  # the CPU device's linear algebra
    default_options = {"with_eigen": True}
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, SOURCE, "include", "gnp", "core", "config.hpp"))
        self.version = ".".join(re.findall(r"#define GNP_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", header))

    def export_sources(self):
        source = os.path.join(self.recipe_folder, SOURCE)
        for files in ("include/*.?pp", "cmake/gnpCuda.cmake", "cmake/gnpCompiled.cmake", "LICENSE"):
            copy(self, files, source, self.export_sources_folder)

    def requirements(self):
        if self.options.with_eigen:
            self.requires("eigen/[>=3.4 <4]", transitive_headers=True)

    def validate(self):
        check_min_cppstd(self, 20)

    def package_id(self):
        self.info.settings.clear()

    def package(self):
        def pack(files, *folders, to):
            copy(self, files, os.path.join(self.source_folder, *folders), os.path.join(self.package_folder, to))

        pack("*.?pp", "include", to="include")
        pack("LICENSE", to="licenses")
        pack("gnpC*.cmake", "cmake", to="cmake")
        # As gnp's own package does, looks for the CUDA headers, and makes gnp::compiled, where the user's program is
        # built.
        save(self, os.path.join(self.package_folder, "cmake", "gnpUseCuda.cmake"),
             'include("${CMAKE_CURRENT_LIST_DIR}/gnpCuda.cmake")\ngnp_use_cuda_headers(gnp::gnp)\n'
             'if(NOT TARGET gnp::compiled)\n  include("${CMAKE_CURRENT_LIST_DIR}/gnpCompiled.cmake")\n'
             '  gnp_add_compiled("${CMAKE_CURRENT_LIST_DIR}/../include")\nendif()\n')

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_build_modules", [os.path.join("cmake", "gnpUseCuda.cmake")])
        if self.settings.get_safe("os") in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread", "dl"]
