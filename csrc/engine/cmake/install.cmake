# Installs the library, as two components: what programs need to run, and to be compiled.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

install(TARGETS polymask EXPORT polymask
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    RUNTIME COMPONENT polymask_runtime
    LIBRARY COMPONENT polymask_runtime NAMELINK_COMPONENT polymask_development
    ARCHIVE COMPONENT polymask_development)
set(to_develop COMPONENT polymask_development)
set(packages ${CMAKE_INSTALL_LIBDIR}/cmake/polymask)
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} ${to_develop})
install(EXPORT polymask NAMESPACE polymask:: FILE polymask-targets.cmake
    DESTINATION ${packages} ${to_develop})

# The C++ standard libraries, for programs in C, whose compiler does not link them.
set(cxx_libraries)
if(NOT library_type STREQUAL SHARED_LIBRARY)
    set(cxx_libraries ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
    list(FILTER cxx_libraries INCLUDE REGEX "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
endif()
configure_package_config_file(cmake/polymask-config.cmake.in polymask-config.cmake
    INSTALL_DESTINATION ${packages})
write_basic_package_version_file(polymask-config-version.cmake COMPATIBILITY ${compatibility})
install(FILES
    ${CMAKE_CURRENT_BINARY_DIR}/polymask-config.cmake
    ${CMAKE_CURRENT_BINARY_DIR}/polymask-config-version.cmake
    DESTINATION ${packages} ${to_develop})

# For programs that are compiled and linked with pkg-config.
if(NOT MSVC)
    file(RELATIVE_PATH includedir
        ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
    if(library_type STREQUAL SHARED_LIBRARY)
        set(cflags " -DPOLYMASK_SHARED")
        set(libs)
    else()
        set(cflags)
        list(TRANSFORM cxx_libraries PREPEND " -l" OUTPUT_VARIABLE libs)
        list(JOIN libs "" libs)
        set(libs " -pthread${libs}")
    endif()
    configure_file(cmake/polymask.pc.in polymask.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/polymask.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig ${to_develop})
endif()
