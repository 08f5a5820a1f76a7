/* A band of the mask of a polygon: `pixels` pixels from `first` on, in the order of memory.
 * Each iteration computes one pixel; all arguments are pointers. */
#include "inside_polygon.h"
#include "pymic_kernel.h"

PYMIC_KERNEL void polygon_mask(PYMIC_ARRAY const double *vertices, PYMIC_ARRAY const int64_t *n,
                               PYMIC_ARRAY const int64_t *border_value,
                               PYMIC_ARRAY const int64_t *cols, PYMIC_ARRAY const int64_t *first,
                               PYMIC_ARRAY const int64_t *pixels, PYMIC_ARRAY uint8_t *band)
{
    /* Copies, because the compiler must assume that a store to the band changes the arguments. */
    const int64_t count = *n, width = *cols, begin = *first;
    const int border = *border_value != 0;
    PYMIC_FOR_IF (i, *pixels, *pixels * count > 300000) { /* 0.3 ms at 1 ns per pixel and edge */
        const double x = (double)((begin + i) % width), y = (double)((begin + i) / width);
        band[i] = (uint8_t)inside_polygon(x, y, vertices, count, border);
    }
}
