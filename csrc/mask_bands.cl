// mask.cl for launches by dpctl, which have no offset: a band's first column and row are arguments.
// The host replaces the next line with the header's text, so no include path is needed.
#include "inside_polygon_branchless.h"

kernel void polygon_mask(global const double *vertices, const long n, const int border_value,
                         const long rows, const long cols, global uchar *mask, const long left,
                         const long top)
{
    const long x = left + get_global_id(0), y = top + get_global_id(1);
    if (x < cols && y < rows)
        mask[y * cols + x] = inside_polygon_branchless(x, y, vertices, n, border_value);
}
