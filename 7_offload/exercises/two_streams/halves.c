#include "pymic_kernel.h"

/* Each element three times as large, in place. */
PYMIC_KERNEL void triple(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *n)
{
    PYMIC_FOR (i, *n)
        a[i] *= 3;
}

/* Each element's square, in place. */
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
