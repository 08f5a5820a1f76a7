"""The recipe for Conan 2, to use in the unpacked archive: conan create . --build=missing."""

from pathlib import Path

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load


class Polymask(ConanFile):
    """Packages the library as CMake installs it, with its own files for CMake and pkg-config."""

    name = "polymask"
    description = "Exact polygon masks"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}
    test_package_folder = "packaging/conan"
    exports = "VERSION"
    exports_sources = (
        *("CMakeLists.txt", "LICENSE", "VERSION", "exact_flags*.txt"),
        *("cmake/*", "include/*", "src/*"),
    )

    def set_version(self):
        self.version = load(self, Path(self.recipe_folder, "VERSION")).strip()

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["POLYMASK_TESTS"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, Path(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.libs = ["polymask"]
        self.cpp_info.defines = ["POLYMASK_SHARED"] if self.options.shared else []
        self.cpp_info.system_libs = ["pthread"] if self.settings.os == "Linux" else []
        self.cpp_info.builddirs = ["lib/cmake/polymask"]
        self.cpp_info.set_property("cmake_find_mode", "none")  # CMake uses the installed file
