/* What the rule in inside_polygon.h needs of each compiler: the words of C, C++, OpenCL C and CUDA
 * C++ for a function, an index and an address, and doubles that are rounded as IEEE says.
 *
 * POLYMASK_GNU: the compiler supports GCC's extensions of C and C++, as clang does. Code that uses
 * them has an alternative in standard C or C++ for MSVC; -DPOLYMASK_STANDARD selects it everywhere,
 * for tests. */
#ifndef POLYMASK_PORTABLE_H
#define POLYMASK_PORTABLE_H

#if defined(__GNUC__) && !defined(POLYMASK_STANDARD)
#define POLYMASK_GNU 1
#endif

#if defined(__FAST_MATH__) || defined(__FAST_RELAXED_MATH__) || defined(_M_FP_FAST) ||             \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                               \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
/* it would reorder the sums, and assume that there is no NaN */
#error "masks are not exact with -ffast-math: compile without it, and with -ffp-contract=off"
#endif

#if defined(__OPENCL_VERSION__) /* OpenCL C: vertices are in device memory */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define POLYMASK_FUNCTION static inline
#define POLYMASK_SPACE __global
typedef long polymask_index;
#else
#if defined(__CUDACC_RTC__) /* NVRTC has no headers, and compiles only for GPUs, of 64 bits */
typedef long long polymask_index;
#else
#include <float.h>
#include <stddef.h>
typedef ptrdiff_t polymask_index;
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2
/* x87 computes in 80 bits, and the compiler chooses when to round. */
#error "doubles are computed in more than 64 bits here: for x86 compile with -msse2 -mfpmath=sse"
#endif
#endif
#if defined(__CUDACC__)
#define POLYMASK_FUNCTION static __host__ __device__ inline
#else
#define POLYMASK_FUNCTION static inline
#endif
#define POLYMASK_SPACE
#endif

#endif
