#include "pymic_kernel.h"

/* Triples each element in place. */
PYMIC_KERNEL void triple(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *n)
{
    PYMIC_FOR (i, *n)
        a[i] *= 3;
}

/* Squares each element in place. */
PYMIC_KERNEL void square(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *n)
{
    PYMIC_FOR (i, *n)
        a[i] *= a[i];
}

/* sum += a, element by element. */
PYMIC_KERNEL void add(PYMIC_ARRAY double *sum, PYMIC_ARRAY const double *a,
                      PYMIC_ARRAY const int64_t *n)
{
    PYMIC_FOR (i, *n)
        sum[i] += a[i];
}
