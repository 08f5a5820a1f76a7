#include "points_inside_polygon.h"

#include "inside_polygon.h"

void points_inside_polygon(const double *points, ptrdiff_t n_points, const double *vertices,
                           ptrdiff_t n, int border_value, uint8_t *inside)
{
    for (ptrdiff_t i = 0; i < n_points; i++)
        inside[i] =
            (uint8_t)inside_polygon(points[2 * i], points[2 * i + 1], vertices, n, border_value);
}
