/** @file config.h
 *  Which polymask this is, and what it asks of a compiler. The other headers include it.
 */
#ifndef POLYMASK_CONFIG_H
#define POLYMASK_CONFIG_H

#define POLYMASK_VERSION_MAJOR 0
#define POLYMASK_VERSION_MINOR 1
#define POLYMASK_VERSION_PATCH 0
#define POLYMASK_VERSION "0.1.0"

/* A program that was linked for fast mathematics may flush denormals to zero, and one compiled for
 * it does not know NaN: masks would differ from the rule, and nothing would say so. The rule's own
 * header, inside_polygon.h, says the same: it is not installed, and this is no OpenCL. */
#if defined(__FAST_MATH__) || defined(_M_FP_FAST) || defined(__ASSOCIATIVE_MATH__) ||              \
    defined(__RECIPROCAL_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
#error "masks are not exact with -ffast-math: compile without it, -Ofast and their parts"
#endif

/* What a shared library exports. POLYMASK_SHARED says that it is one, to those who build it and to
 * those who use it: CMake's target and polymask.pc define it. */
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
