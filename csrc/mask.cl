// The mask on an OpenCL device: one work item computes one pixel.
// The host replaces the next line with the header's text, so no include path is needed.
#include "inside_polygon_branchless.h"

// The global size is rounded up to whole work-groups; items beyond the image write nothing.
kernel void polygon_mask(global const double *vertices, const long n, const int border_value,
                         const long rows, const long cols, global uchar *mask)
{
    const long x = get_global_id(0), y = get_global_id(1);
    if (x < cols && y < rows)
        mask[y * cols + x] = inside_polygon_branchless(x, y, vertices, n, border_value);
}
