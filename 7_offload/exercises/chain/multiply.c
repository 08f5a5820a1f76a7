#include "pymic_kernel.h"

/* C = A B, where A is m x k, B is k x n and C is m x n, all in C order. */
PYMIC_KERNEL void multiply(PYMIC_ARRAY const double *a, PYMIC_ARRAY const double *b,
                           PYMIC_ARRAY double *c, PYMIC_ARRAY const int64_t *m,
                           PYMIC_ARRAY const int64_t *n, PYMIC_ARRAY const int64_t *k)
{
    const int64_t rows = *m, cols = *n, common = *k;
    PYMIC_FOR_LARGE (i, rows) {
        for (int64_t j = 0; j < cols; j++) {
            double sum = 0;
            for (int64_t l = 0; l < common; l++)
                sum += a[i * common + l] * b[l * cols + j];
            c[i * cols + j] = sum;
        }
    }
}
