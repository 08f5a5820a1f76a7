/** @file config.h
 *  The version of polymask, and the mark of its functions. The other headers include it.
 *
 *  A program may be compiled with -ffast-math: the functions are compiled in the library, without
 *  it. But it cannot test for NaN then, which statistics have where there is no value. And
 *  inside_polygon.h, whose functions are compiled in the program, refuses it.
 */
#ifndef POLYMASK_CONFIG_H
#define POLYMASK_CONFIG_H

#define POLYMASK_VERSION_MAJOR 0
#define POLYMASK_VERSION_MINOR 1
#define POLYMASK_VERSION_PATCH 0
#define POLYMASK_VERSION "0.1.0"
/* A number that grows with each version, such as 10203 for 1.2.3. */
#define POLYMASK_VERSION_NUMBER                                                                    \
    (POLYMASK_VERSION_MAJOR * 10000 + POLYMASK_VERSION_MINOR * 100 + POLYMASK_VERSION_PATCH)

/* Marks exported functions. POLYMASK_SHARED is defined to build or use a shared library: CMake's
 * target and polymask.pc define it. */
#if !defined(POLYMASK_SHARED)
#define POLYMASK_API
#elif !defined(_WIN32)
#define POLYMASK_API __attribute__((visibility("default")))
#elif defined(POLYMASK_BUILDING)
#define POLYMASK_API __declspec(dllexport)
#else
#define POLYMASK_API __declspec(dllimport)
#endif

#endif
