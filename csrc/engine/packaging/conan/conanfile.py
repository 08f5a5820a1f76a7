"""Tries the package, as `conan create` does: a program in C++ and one in C find it by CMake."""

import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, cmake_layout


class Programs(ConanFile):
    """Builds and runs the programs that draw a triangle."""

    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "CMakeToolchain"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            for name in "triangle_cpp", "triangle_c":
                self.run(os.path.join(self.cpp.build.bindir, name), env="conanrun")
