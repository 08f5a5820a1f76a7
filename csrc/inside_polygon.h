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

#if defined(__FAST_MATH__) || defined(__FAST_RELAXED_MATH__) || defined(_M_FP_FAST) ||             \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) ||                               \
    (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__ != 0)
/* it would reorder the sums, and assume that there is no NaN; also checked in polymask/config.h */
#error "masks are not exact with -ffast-math: compile without it, and with -ffp-contract=off"
#endif

#if defined(__OPENCL_VERSION__) /* OpenCL C: vertices are in device memory */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL FP_CONTRACT OFF
#define POLYMASK_FUNCTION static inline
#ifndef POLYMASK_SPACE
#define POLYMASK_SPACE __global
#endif
typedef long polymask_index;
#else
#if defined(__CUDACC_RTC__) /* NVRTC has no headers, and compiles only for GPUs, of 64 bits */
typedef long long polymask_index;
#else
#include <float.h>
#include <stddef.h>
typedef ptrdiff_t polymask_index;
#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2
/* x87 computes in 80 bits, and the compiler chooses when to round. */
#error "doubles are computed in more than 64 bits here: for x86 compile with -msse2 -mfpmath=sse"
#endif
#endif
#if defined(__CUDACC__)
#define POLYMASK_FUNCTION static __host__ __device__ inline
#else
#define POLYMASK_FUNCTION static inline
#endif
#define POLYMASK_SPACE
#endif

/* Return the x at which the edge p1 -> p2, y1 != y2, crosses row y, in this order of operations. */
POLYMASK_FUNCTION double crossing_x(double y, double x1, double y1, double x2, double y2)
{
    return (y - y1) * (x2 - x1) / (y2 - y1) + x1;
}

/* vertices: x0, y0, x1, y1, ... of n vertices; the last vertex joins the first.
 * Return 1 inside, 0 outside, border_value on a vertex. */
POLYMASK_FUNCTION int inside_polygon(double x, double y, POLYMASK_SPACE const double *vertices,
                                     polymask_index n, int border_value)
#if defined(__OPENCL_VERSION__)
/* No item leaves the loop early, so that a compiler can fill vector registers: Intel's with the
 * pixels of several items, for which it divides once per row and edge, and PoCL 3.0 with several
 * edges of one item. */
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
#else
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

#endif
