/* The crossings of a polygon with a row. */
#include <stddef.h>

/* Store the x of all edges that cross row y in xs; return their number. */
static inline ptrdiff_t collect(double y, const double *vertices, ptrdiff_t n, double *xs)
{
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0, j = n - 1; i < n; j = i++) {
        const double x1 = vertices[2 * j], y1 = vertices[2 * j + 1];
        const double x2 = vertices[2 * i], y2 = vertices[2 * i + 1];
        if ((y > y1) != (y > y2))
            xs[count++] = (y - y1) * (x2 - x1) / (y2 - y1) + x1;
    }
    return count;
}

/* Write a row: a pixel is inside if the number of crossings that are not left of it is odd. */
static inline void fill(const double *xs, ptrdiff_t count, unsigned char *row, ptrdiff_t cols)
{
    for (ptrdiff_t x = 0; x < cols; x++) {
        row[x] = 0;
        for (ptrdiff_t i = 0; i < count; i++)
            row[x] ^= x <= xs[i];
    }
}
