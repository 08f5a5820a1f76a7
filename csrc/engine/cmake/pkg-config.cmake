# Writes and installs polymask.pc, for programs that are compiled and linked with pkg-config.
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
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
