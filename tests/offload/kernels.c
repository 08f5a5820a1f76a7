/* Kernels for the tests of the offload runtime: one text for all engines. */
#include "pymic_kernel.h"

PYMIC_KERNEL void nothing(void) {}

PYMIC_KERNEL void double_it(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *n)
{
    PYMIC_FOR (i, *n)
        a[i] *= 2;
}

PYMIC_KERNEL void add_to(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *n,
                         PYMIC_ARRAY const double *by)
{
    PYMIC_FOR (i, *n)
        a[i] += *by;
}

PYMIC_KERNEL void is_null(PYMIC_ARRAY const double *before, PYMIC_ARRAY const double *asked,
                          PYMIC_ARRAY const double *after, PYMIC_ARRAY int64_t *answers)
{
    PYMIC_FOR (i, 1) {
        answers[i] = before == 0;
        answers[i + 1] = asked == 0;
        answers[i + 2] = after == 0;
    }
}

/* What a kernel sees of Python's and NumPy's scalars. */
PYMIC_KERNEL void tell(PYMIC_ARRAY const int64_t *integer, PYMIC_ARRAY const double *real,
                       PYMIC_ARRAY const double *complex_parts, PYMIC_ARRAY const float *single,
                       PYMIC_ARRAY const uint8_t *byte, PYMIC_ARRAY int64_t *integers,
                       PYMIC_ARRAY double *reals)
{
    PYMIC_FOR (i, 1) {
        integers[i] = *integer;
        integers[i + 1] = *byte;
        reals[i] = *real;
        reals[i + 1] = complex_parts[0];
        reals[i + 2] = complex_parts[1];
        reals[i + 3] = *single;
    }
}

PYMIC_KERNEL void pass_on(PYMIC_ARRAY const uint64_t *value, PYMIC_ARRAY uint64_t *result)
{
    PYMIC_FOR (i, 1)
        result[i] = *value;
}

/* A sum in which the place of each of 16 pointers counts. */
#define IN(k) PYMIC_ARRAY const int64_t *x##k
PYMIC_KERNEL void sixteen(IN(1), IN(2), IN(3), IN(4), IN(5), IN(6), IN(7), IN(8), IN(9), IN(10),
                          IN(11), IN(12), IN(13), IN(14), IN(15), PYMIC_ARRAY int64_t *sum)
{
    PYMIC_FOR (i, 1)
        sum[i] = 1 * *x1 + 2 * *x2 + 3 * *x3 + 4 * *x4 + 5 * *x5 + 6 * *x6 + 7 * *x7 + 8 * *x8 +
                 9 * *x9 + 10 * *x10 + 11 * *x11 + 12 * *x12 + 13 * *x13 + 14 * *x14 + 15 * *x15;
}

/* One after the other, in any work item: work that takes a while. */
PYMIC_KERNEL void count_slowly(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *steps)
{
    PYMIC_FOR (i, 1)
        for (volatile int64_t step = 0; step < *steps; step = step + 1)
            a[i] += 1;
}
