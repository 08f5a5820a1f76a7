#include "inside_polygon.h"
#include "pymic_kernel.h"

/* Fills the mask of n vertices x0, y0, x1, y1, ... A pixel on a vertex is inside. */
PYMIC_KERNEL void fill_mask(PYMIC_ARRAY const double *vertices, PYMIC_ARRAY const int64_t *n,
                            PYMIC_ARRAY const int64_t *rows, PYMIC_ARRAY const int64_t *cols,
                            PYMIC_ARRAY uint8_t *mask)
{
    const int64_t count = *n, width = *cols;
    PYMIC_FOR (i, *rows * width)
        mask[i] = inside_polygon(i % width, i / width, vertices, count, 1);
}

/* Moves n vertices by (dx, dy), in place. */
PYMIC_KERNEL void move(PYMIC_ARRAY double *vertices, PYMIC_ARRAY const int64_t *n,
                       PYMIC_ARRAY const double *dx, PYMIC_ARRAY const double *dy)
{
    PYMIC_FOR (i, *n) {
        vertices[2 * i] += *dx;
        vertices[2 * i + 1] += *dy;
    }
}
