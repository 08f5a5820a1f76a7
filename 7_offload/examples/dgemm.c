#include "pymic_kernel.h"

#define TILE_ROWS 4
#define TILE_COLS 8

/* C = alpha A B + beta C on a tile of C. The sums of a tile stay in registers; an element of A is
 * used for a whole row of them, and an element of B for a column. */
PYMIC_FUNCTION void tile(PYMIC_ARRAY const double *a, PYMIC_ARRAY const double *b,
                         PYMIC_ARRAY double *c, int64_t rows, int64_t cols, int64_t n, int64_t k,
                         double alpha, double beta)
{
    double sums[TILE_ROWS][TILE_COLS] = {{0}};
    for (int64_t l = 0; l < k; l++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                sums[i][j] += a[i * k + l] * b[l * n + j];
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++)
            c[i * n + j] = alpha * sums[i][j] + (beta == 0 ? 0 : beta * c[i * n + j]);
}

/* A is m x k, B is k x n, C is m x n, all in C order. A thread or work item computes a tile. */
PYMIC_KERNEL void dgemm(PYMIC_ARRAY const double *a, PYMIC_ARRAY const double *b,
                        PYMIC_ARRAY double *c, PYMIC_ARRAY const int64_t *m,
                        PYMIC_ARRAY const int64_t *n, PYMIC_ARRAY const int64_t *k,
                        PYMIC_ARRAY const double *alpha, PYMIC_ARRAY const double *beta)
{
    const int64_t down = (*m + TILE_ROWS - 1) / TILE_ROWS;
    const int64_t across = (*n + TILE_COLS - 1) / TILE_COLS;
    PYMIC_FOR_LARGE (t, down * across) {
        const int64_t row = t / across * TILE_ROWS, col = t % across * TILE_COLS;
        const int64_t rows = *m - row, cols = *n - col;
        PYMIC_ARRAY const double *left = a + row * *k, *above = b + col;
        PYMIC_ARRAY double *corner = c + row * *n + col;
        if (rows >= TILE_ROWS && cols >= TILE_COLS) /* loops of known length can be unrolled */
            tile(left, above, corner, TILE_ROWS, TILE_COLS, *n, *k, *alpha, *beta);
        else
            tile(left, above, corner, rows < TILE_ROWS ? rows : TILE_ROWS,
                 cols < TILE_COLS ? cols : TILE_COLS, *n, *k, *alpha, *beta);
    }
}
