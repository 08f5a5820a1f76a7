# Writes and installs polymask.pc, for programs that ask pkg-config how to compile and link.
file(RELATIVE_PATH includedir
    ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_FULL_INCLUDEDIR})
if(library_type STREQUAL SHARED_LIBRARY)
    set(cflags " -DPOLYMASK_SHARED")
    set(libs)
else()
    # C++'s own libraries, for programs in C: their compiler does not link them by itself.
    set(cflags)
    set(libs " -pthread")
    foreach(library ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
        if(library MATCHES "^(stdc\\+\\+|c\\+\\+|c\\+\\+abi|m)$")
            string(APPEND libs " -l${library}")
        endif()
    endforeach()
endif()
configure_file(cmake/polymask.pc.in polymask.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/polymask.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
