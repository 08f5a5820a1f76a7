/* The rule as a WebAssembly module: the page takes every mask and every crossing from here.
 *
 * build.py compiles it, without a standard library. The page writes a polygon into `vertices`,
 * calls a function, and reads `mask`. */
#include "inside_polygon.h"

constexpr int MOST_VERTICES = 64, MOST_PIXELS = 64 * 64;

extern "C" {

double vertices[2 * MOST_VERTICES]; // x0, y0, x1, y1, ...
unsigned char mask[MOST_PIXELS];    // rows * cols bytes, in C order

void fill_mask(int n, int rows, int cols, int border_value)
{
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < cols; x++)
            mask[y * cols + x] = inside_polygon(x, y, vertices, n, border_value);
}

/* Return the x at which the ray from (x, y) crosses edge i, or NaN if it does not cross it.
 *
 * A third point turns the edge into a polygon, which the rule can test. The point is at minus
 * infinity, in the row of p1: no ray towards larger x crosses the other two edges. */
double crossing(double x, double y, int n, int i)
{
    const double *p1 = vertices + 2 * i, *p2 = vertices + 2 * ((i + 1) % n);
    const double triangle[] = {p1[0], p1[1], p2[0], p2[1], -__builtin_inf(), p1[1]};
    if (!inside_polygon(x, y, triangle, 3, 0))
        return __builtin_nan("");
    const double xinters = crossing_x(y, p1[0], p1[1], p2[0], p2[1]);
    const double end = p1[0] > p2[0] ? p1[0] : p2[0]; // rounding may move xinters beyond it
    return xinters < end ? xinters : end;
}
}
