#include "pymic_kernel.h"

/* Doubles n numbers in place. */
PYMIC_KERNEL void double_it(PYMIC_ARRAY double *a, PYMIC_ARRAY const int64_t *n)
{
    PYMIC_FOR (i, *n)
        a[i] *= 2;
}
