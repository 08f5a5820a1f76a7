/* Kernels of the offload runtime: one source for the host (C, C++), OpenCL C and CUDA C.
 *
 *     #include "pymic_kernel.h"
 *
 *     PYMIC_KERNEL void double_it(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *n)
 *     {
 *         PYMIC_FOR (i, *n)
 *             a[i] *= 2;
 *     }
 *
 * All parameters are pointers, as pyMIC had it; its kernels compile as they are on the host. A loop
 * by PYMIC_FOR is shared among OpenMP's threads there, and among the work items on a device. One by
 * PYMIC_FOR_LARGE has few iterations, each with much to do, and one by PYMIC_FOR_IF says from when
 * on it is worth the threads. A function that kernels call is a PYMIC_FUNCTION.
 */
#ifndef PYMIC_KERNEL_H
#define PYMIC_KERNEL_H

#if defined(__OPENCL_VERSION__)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
typedef uchar uint8_t;
typedef int int32_t;
typedef long int64_t;
typedef ulong uint64_t;
#define PYMIC_KERNEL __kernel
#define PYMIC_ARRAY __global /* where an array's pointer points to */
#define PYMIC_FOR(i, n)                                                                            \
    for (int64_t i = (int64_t)get_global_id(0); i < (n); i += (int64_t)get_global_size(0))
#define PYMIC_FOR_LARGE PYMIC_FOR
#define PYMIC_FOR_IF(i, n, worth) PYMIC_FOR (i, n)
#define PYMIC_FUNCTION static inline

#elif defined(__CUDACC__)
#if defined(__CUDACC_RTC__)
typedef unsigned char uint8_t;
typedef int int32_t;
typedef long long int64_t;
typedef unsigned long long uint64_t;
#ifndef NAN /* NVRTC's math.h has none */
#define NAN __longlong_as_double(0x7ff8000000000000LL)
#endif
#else
#include <stddef.h>
#include <stdint.h>
#endif
#define PYMIC_KERNEL extern "C" __global__
#define PYMIC_ARRAY
#define PYMIC_FOR(i, n)                                                                            \
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < (n);                      \
         i += (int64_t)gridDim.x * blockDim.x)
#define PYMIC_FOR_LARGE PYMIC_FOR
#define PYMIC_FOR_IF(i, n, worth) PYMIC_FOR (i, n)
#define PYMIC_FUNCTION static __device__ inline

#else
#include <stddef.h>
#include <stdint.h>
#if defined(__cplusplus)
#define PYMIC_KERNEL extern "C" __attribute__((visibility("default")))
#else
#define PYMIC_KERNEL __attribute__((visibility("default")))
#endif
#define PYMIC_ARRAY
#define PYMIC_PRAGMA(text) _Pragma(#text)
#if defined(_OPENMP)
#include <omp.h>
#define PYMIC_MOST_THREADS 1024 /* OpenMP ends the process if OMP_NUM_THREADS asks for millions */
static inline int pymic_threads(void)
{
    const int wanted = omp_get_max_threads();
    return wanted < PYMIC_MOST_THREADS ? wanted : PYMIC_MOST_THREADS;
}
#endif
/* A team of threads costs microseconds: short loops do without. */
#define PYMIC_FOR_IF(i, n, worth)                                                                  \
    PYMIC_PRAGMA(omp parallel for if (worth) num_threads(pymic_threads()))                         \
    for (int64_t i = 0; i < (n); i++)
#define PYMIC_FOR(i, n) PYMIC_FOR_IF (i, n, (n) > 16384)
#define PYMIC_FOR_LARGE(i, n) PYMIC_FOR_IF (i, n, (n) > 1)
#define PYMIC_FUNCTION static inline
#endif

#endif
