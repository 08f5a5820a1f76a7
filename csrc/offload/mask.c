/* The mask of a polygon, a pixel for each turn of the loop; all arguments are pointers. */
#include "inside_polygon.h"
#include "pymic_kernel.h"

PYMIC_KERNEL void polygon_mask(PYMIC_ARRAY const double *vertices, PYMIC_ARRAY const int64_t *n,
                               PYMIC_ARRAY const int64_t *border_value,
                               PYMIC_ARRAY const int64_t *rows, PYMIC_ARRAY const int64_t *cols,
                               PYMIC_ARRAY uint8_t *mask)
{
    /* Copies: for all that the compiler knows, writing to the mask might change the numbers. */
    const int64_t count = *n, width = *cols;
    const int border = *border_value != 0;
    PYMIC_FOR (i, *rows * width) {
        const double x = (double)(i % width), y = (double)(i / width);
        mask[i] = (uint8_t)inside_polygon(x, y, vertices, count, border);
    }
}
