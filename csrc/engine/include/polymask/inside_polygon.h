/* The rule: is the point (x, y) inside the polygon?
 *
 * By the even-odd rule, it is inside if a ray from the point towards larger x crosses the edges
 * p1 -> p2 an odd number of times. A point on a vertex takes the border value. All rungs in C, C++,
 * OpenCL C or CUDA C include this file, so their masks are identical, bit for bit.
 *
 * Arithmetic is IEEE binary64 in the order written. The product is divided before the sum, so there
 * is no multiply-add that a compiler could fuse; still compile with -ffp-contract=off, and never
 * with -ffast-math.
 */
#ifndef POLYMASK_INSIDE_POLYGON_H
#define POLYMASK_INSIDE_POLYGON_H

#include "portable.h"

/* Return the x at which the edge p1 -> p2, y1 != y2, crosses row y, in this order of operations. */
POLYMASK_FUNCTION double crossing_x(double y, double x1, double y1, double x2, double y2)
{
    return (y - y1) * (x2 - x1) / (y2 - y1) + x1;
}

/* vertices: x0, y0, x1, y1, ... of n vertices; the last vertex joins the first.
 * Return 1 inside, 0 outside, border_value on a vertex. */
POLYMASK_FUNCTION int inside_polygon(double x, double y, POLYMASK_SPACE const double *vertices,
                                     polymask_index n, int border_value)
{
    int inside = 0;
    double x1 = vertices[2 * n - 2], y1 = vertices[2 * n - 1];
    for (polymask_index i = 0; i < n; i++) {
        const double x2 = vertices[2 * i], y2 = vertices[2 * i + 1];
        if (x == x1 && y == y1)
            return border_value;
        /* half open in y: an edge includes its end with the larger y but not the other, so that a
         * vertex between two edges is crossed once */
        if (y > (y1 < y2 ? y1 : y2) && y <= (y1 > y2 ? y1 : y2) && x <= (x1 > x2 ? x1 : x2) &&
            y1 != y2) {
            if (x1 == x2 || x <= crossing_x(y, x1, y1, x2, y2))
                inside = !inside;
        }
        x1 = x2;
        y1 = y2;
    }
    return inside;
}

#endif
