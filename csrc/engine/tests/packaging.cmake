# The README, and recipes of package managers, as far as these are not needed: run with cmake -P.
cmake_minimum_required(VERSION 3.21)
get_filename_component(engine ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
file(STRINGS ${engine}/VERSION version)
file(READ ${engine}/README.md readme)
if(NOT readme MATCHES "/polymask-engine-${version}[.]tar[.]gz")
    message(FATAL_ERROR "VERSION is ${version}: README.md names another archive")
endif()

# vcpkg: the port's version, and its calls of functions of vcpkg, which are replaced.
set(port ${engine}/packaging/vcpkg/polymask)
file(READ ${port}/vcpkg.json manifest)
string(JSON port_version GET "${manifest}" version)
if(NOT port_version STREQUAL version)
    message(FATAL_ERROR "VERSION is ${version}: vcpkg.json has ${port_version}")
endif()
foreach(name cmake_configure cmake_install cmake_config_fixup fixup_pkgconfig install_copyright)
    cmake_language(EVAL CODE "macro(vcpkg_${name})\nset(${name} \${ARGV})\nendmacro()")
endforeach()
set(CURRENT_PACKAGES_DIR ${CMAKE_CURRENT_LIST_DIR}/none)
include(${port}/portfile.cmake)
if(NOT cmake_configure STREQUAL "SOURCE_PATH;${engine};OPTIONS;-DPOLYMASK_TESTS=OFF"
        OR NOT cmake_config_fixup STREQUAL "CONFIG_PATH;lib/cmake/polymask"
        OR NOT install_copyright STREQUAL "FILE_LIST;${engine}/LICENSE")
    message(FATAL_ERROR "portfile.cmake: ${cmake_configure} ${cmake_config_fixup} ${install_copyright}")
endif()

# Conan: the files that the recipe exports; LICENSE is in archives only.
file(READ ${engine}/conanfile.py recipe)
string(REGEX MATCH "exports_sources = [(](.*)\n    [)]" exported "${recipe}")
string(REGEX MATCHALL "[A-Za-z_*./]+\"" exported "${exported}")
list(TRANSFORM exported REPLACE "\"" "")
list(LENGTH exported count)
foreach(pattern ${exported})
    file(GLOB_RECURSE files ${engine}/${pattern})
    if(NOT files AND NOT pattern STREQUAL LICENSE OR count LESS 7)
        message(FATAL_ERROR "conanfile.py exports ${pattern}, which is no file")
    endif()
endforeach()
