// The same mask as in csrc/mask.cl, but each work item computes a row.
#include "inside_polygon.h"

kernel void polygon_mask(global const double *vertices, const long n, const int border_value,
                         const long rows, const long cols, global uchar *mask)
{
    const long y = get_global_id(0);
    for (long x = 0; x < cols; x++)
        mask[y * cols + x] = inside_polygon(x, y, vertices, n, border_value);
}
