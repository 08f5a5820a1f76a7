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
 * All parameters are pointers, as in pyMIC, whose kernels compile unchanged on the host. PYMIC_FOR
 * distributes the iterations of a loop to OpenMP threads on the host, or to work items on a device.
 * PYMIC_FOR_LARGE is for a few iterations with much work each. PYMIC_FOR_IF has a condition under
 * which threads are worth their cost. Functions that kernels call are declared PYMIC_FUNCTION.
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
#define PYMIC_ARRAY __global /* the address space of arrays */
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
#ifndef NAN /* NVRTC's math.h does not define it */
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
#if !defined(PYMIC_MOST_THREADS) /* the runtime defines it in a container with a CPU quota */
#define PYMIC_MOST_THREADS 1024  /* OpenMP ends the process if OMP_NUM_THREADS is too large */
#endif
static inline int pymic_threads(void)
{
    const int threads = omp_get_max_threads();
    return threads < PYMIC_MOST_THREADS ? threads : PYMIC_MOST_THREADS;
}
#endif
/* A team of threads costs microseconds, so short loops run in one thread. */
#define PYMIC_FOR_IF(i, n, worth)                                                                  \
    PYMIC_PRAGMA(omp parallel for if (worth) num_threads(pymic_threads()))                         \
    for (int64_t i = 0; i < (n); i++)
#define PYMIC_FOR(i, n) PYMIC_FOR_IF (i, n, (n) > 16384)
#define PYMIC_FOR_LARGE(i, n) PYMIC_FOR_IF (i, n, (n) > 1)
#define PYMIC_FUNCTION static inline
#endif

#endif
