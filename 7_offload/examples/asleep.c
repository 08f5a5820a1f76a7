#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#endif
#include "pymic_kernel.h"

#if defined(__OPENCL_VERSION__) || defined(__CUDACC__)
#define STEPS 500000 /* about a millisecond on a CPU; each step depends on the previous one */

/* A kernel on a device cannot sleep: this one takes time with a long Collatz sequence. */
PYMIC_FUNCTION int64_t rest(int64_t ms, int64_t x)
{
    for (int64_t step = 0; step < ms * STEPS; step++)
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    return x;
}
#else
#include <time.h>

PYMIC_FUNCTION int64_t rest(int64_t ms, int64_t x)
{
    const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
    nanosleep(&time, NULL);
    return x;
}
#endif

/* Sleeps for some milliseconds, and counts this in `slept`. */
PYMIC_KERNEL void asleep(PYMIC_ARRAY const int64_t *ms, PYMIC_ARRAY int64_t *slept)
{
    PYMIC_FOR (i, 1)
        slept[i] += rest(*ms, 1) > 0;
}
