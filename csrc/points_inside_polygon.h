/* A C library with one function, which tests which of many points lie inside a polygon. */
#ifndef POLYMASK_POINTS_INSIDE_POLYGON_H
#define POLYMASK_POINTS_INSIDE_POLYGON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* points:   x0, y0, x1, y1, ... of n_points points
 * vertices: x0, y0, x1, y1, ... of n vertices, n >= 3
 * inside:   n_points bytes, 1 for a point inside, 0 outside, border_value on a vertex */
void points_inside_polygon(const double *points, ptrdiff_t n_points, const double *vertices,
                           ptrdiff_t n, int border_value, uint8_t *inside);

#ifdef __cplusplus
}
#endif

#endif
