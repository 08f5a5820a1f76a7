#include <stddef.h>

/* Returns the address of left, top, right and bottom of n > 0 points: x0, y0, x1, y1, ...
 * The next call overwrites these four numbers. */
static double *bounding_box(const double *points, ptrdiff_t n)
{
    static double box[4];
    box[0] = box[2] = points[0];
    box[1] = box[3] = points[1];
    for (ptrdiff_t i = 2; i < 2 * n; i++) {
        const ptrdiff_t axis = i % 2;
        if (points[i] < box[axis])
            box[axis] = points[i];
        if (points[i] > box[axis + 2])
            box[axis + 2] = points[i];
    }
    return box;
}
