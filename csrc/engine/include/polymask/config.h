/** @file config.h
 *  The version of polymask, and its requirements for C compilers. The other headers include it.
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

/* A program linked with fast mathematics may flush denormals to zero, and one compiled with it
 * assumes that there is no NaN: masks would silently differ from the rule. inside_polygon.h has the
 * same check, because it is also OpenCL code and is not installed. */
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || defined(__ASSOCIATIVE_MATH__) ||              \
    defined(__RECIPROCAL_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "masks are not exact with -ffast-math: compile without it and without -Ofast"
#endif

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
