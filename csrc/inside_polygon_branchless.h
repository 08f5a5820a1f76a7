/* The rule of inside_polygon.h for mask.cl. Its loop has no early exit, so that a compiler can use
 * vector registers. Intel's compiler puts the pixels of several work items into a register, and
 * divides once per row and edge. PoCL 3.0 puts several edges of one item into a register. */
#ifndef POLYMASK_INSIDE_POLYGON_BRANCHLESS_H
#define POLYMASK_INSIDE_POLYGON_BRANCHLESS_H

#include "inside_polygon.h"

POLYMASK_FUNCTION int inside_polygon_branchless(double x, double y,
                                                POLYMASK_SPACE const double *vertices,
                                                polymask_index n, int border_value)
{
    int inside = 0, on_vertex = 0;
    double x1 = vertices[2 * n - 2], y1 = vertices[2 * n - 1];
    for (polymask_index i = 0; i < n; i++) {
        const double x2 = vertices[2 * i], y2 = vertices[2 * i + 1];
        on_vertex |= (x == x1) & (y == y1);
        if (y > (y1 < y2 ? y1 : y2) && y <= (y1 > y2 ? y1 : y2)) {
            const double xinters = x1 == x2 ? x1 : crossing_x(y, x1, y1, x2, y2);
            inside ^= (x <= (x1 > x2 ? x1 : x2)) & (x <= xinters);
        }
        x1 = x2;
        y1 = y2;
    }
    return on_vertex ? border_value : inside;
}

#endif
