/* The preparation of polygons for tiles.cl: points, boxes of chunks, windows and areas.
 *
 * Ring r is the vertices rings[r] .. rings[r + 1] - 1; offsets of polygons and features likewise.
 */
#include "device.h"

#define CHUNK 32 /* as in tiles.cl */
#define LARGEST 1.7976931348623157e308
#define CERTAIN 1099511627776. /* 2**40: see box_of in engine/src/mask/window.hpp */

/* Return the ring of a point: each has two points more than vertices. */
POLYMASK_FUNCTION polymask_index ring_of(GLOBAL const polymask_index *rings, polymask_index count,
                                         polymask_index point)
{
    polymask_index low = 0, high = count; /* it begins at or before the point; it does not */
    while (high - low > 1) {
        const polymask_index middle = low + (high - low) / 2;
        if (rings[middle] + 2 * middle <= point)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* An item per point: each ring's vertices, its first vertex again, and a point that is NaN. */
KERNEL void close_rings(GLOBAL const double *vertices, GLOBAL const polymask_index *rings,
                        const polymask_index count, GLOBAL double *points)
{
    const polymask_index point = GLOBAL_X;
    if (point >= rings[count] + 2 * count)
        return;
    const polymask_index ring = ring_of(rings, count, point);
    const polymask_index index = point - 2 * ring, end = rings[ring + 1];
    const polymask_index vertex = index < end ? index : rings[ring];
    const double nothing = index > end ? 0. / 0. : 0; /* NaN in the last point */
    points[2 * point] = vertices[2 * vertex] + nothing;
    points[2 * point + 1] = vertices[2 * vertex + 1] + nothing;
}

/* The sides of a box. The bottom and the right are negated, so that all four are minima. */
typedef struct {
    double top, bottom, right, left;
} Box;

POLYMASK_FUNCTION Box empty_box(void)
{
    const Box box = {LARGEST, LARGEST, LARGEST, LARGEST};
    return box;
}

POLYMASK_FUNCTION double lower(double a, double b)
{
    return b < a ? b : a; /* a if b is not a number */
}

POLYMASK_FUNCTION Box common_box(const Box a, const Box b)
{
    const Box box = {lower(a.top, b.top), lower(a.bottom, b.bottom), lower(a.right, b.right),
                     lower(a.left, b.left)};
    return box;
}

POLYMASK_FUNCTION Box with_point(const Box box, double2 point)
{
    const Box other = {point.y, -point.y, -point.x, point.x};
    return common_box(box, other);
}

/* Return the box of the boxes of `items` neighbours in a group, a power of two. Each side has its
 * own part of local memory, so that neighbours read neighbouring words. */
POLYMASK_FUNCTION Box box_of_items(const Box own, LOCAL double *memory, int items)
{
    LOCAL double *sides = memory + LOCAL_X;
    const int size = LOCAL_SIZE_X;
    sides[0] = own.top;
    sides[size] = own.bottom;
    sides[2 * size] = own.right;
    sides[3 * size] = own.left;
    for (int half = items / 2; half > 0; half /= 2) {
        BARRIER();
        for (int side = 0; LOCAL_X % items < half && side < 4; side++)
            sides[side * size] = lower(sides[side * size], sides[side * size + half]);
    }
    BARRIER();
    sides -= LOCAL_X % items;
    const Box box = {sides[0], sides[size], sides[2 * size], sides[3 * size]};
    return box;
}

/* An item per edge: the top, bottom, right and left of each chunk of them. Local memory has four
 * numbers for each item. */
KERNEL void bound_chunks(GLOBAL const double2 *points, const polymask_index count,
                         GLOBAL double *boxes, LOCAL_ARGUMENT(double, memory))
{
    LOCAL_MEMORY(double, memory);
    const polymask_index i = GLOBAL_X;
    Box box = empty_box();
    if (i < count)
        box = with_point(box, points[i]);
    if (i + 1 < count)
        box = with_point(box, points[i + 1]);
    box = box_of_items(box, memory, CHUNK);
    if (i % CHUNK != 0 || i >= count)
        return;
    boxes += i / CHUNK * 4;
    boxes[0] = box.top;
    boxes[1] = -box.bottom;
    boxes[2] = -box.right;
    boxes[3] = box.left;
}

/* Return floor(v) + margin, within 0 .. size. */
POLYMASK_FUNCTION polymask_index clamped(double v, int margin, polymask_index size)
{
    const double index = floor(v) + margin;
    return index<0 ? 0 : index>(double) size ? size : (polymask_index)index;
}

/* Return the box that contains another one and an item's share of the points first .. end - 1. */
POLYMASK_FUNCTION Box with_points(Box box, GLOBAL const double2 *points, polymask_index first,
                                  polymask_index end)
{
    for (polymask_index i = first + LOCAL_X; i < end; i += LOCAL_SIZE_X)
        box = with_point(box, points[i]);
    return box;
}

/* A group per feature: its window (top, bottom, left, right), which has all its pixels. Boxes of
 * chunks, if there are any, replace most points. Local memory has four numbers for each item. */
KERNEL void find_windows(GLOBAL const double2 *points, GLOBAL const double2 *boxes,
                         const int has_chunks, GLOBAL const polymask_index *polygons,
                         GLOBAL const polymask_index *features, const double first_row,
                         const double first_col, const polymask_index rows,
                         const polymask_index cols, GLOBAL polymask_index *windows,
                         LOCAL_ARGUMENT(double, memory))
{
    LOCAL_MEMORY(double, memory);
    const polymask_index feature = GROUP_X;
    const polymask_index first = polygons[features[feature]];
    const polymask_index end = polygons[features[feature + 1]];
    /* The chunks whose edges join points of this feature only. */
    const polymask_index chunk = (first + CHUNK - 1) / CHUNK, last = (end - 1) / CHUNK;
    Box own = empty_box();
    if (has_chunks && chunk < last) {
        own = with_points(own, points, first, chunk * CHUNK);
        for (polymask_index i = chunk + LOCAL_X; i < last; i += LOCAL_SIZE_X) {
            const double2 heights = boxes[2 * i], sides = boxes[2 * i + 1];
            const Box box = {heights.x, -heights.y, -sides.x, sides.y};
            own = common_box(own, box);
        }
        own = with_points(own, points, last * CHUNK, end);
    } else {
        own = with_points(own, points, first, end);
    }
    const Box box = box_of_items(own, memory, LOCAL_SIZE_X);
    if (LOCAL_X != 0)
        return;
    const double left = box.left, top = box.top, right = -box.right, bottom = -box.bottom;
    const int is_empty = left > right;
    const int is_certain =
        -left <= CERTAIN && -top <= CERTAIN && right <= CERTAIN && bottom <= CERTAIN;
    /* One row and column more at each side than the formula needs, for its rounding and ours. */
    GLOBAL polymask_index *window = windows + 4 * feature;
    window[0] = is_empty ? 0 : is_certain ? clamped(top - first_row, -1, rows) : 0;
    window[1] = is_empty ? 0 : is_certain ? clamped(bottom - first_row, 2, rows) : rows;
    window[2] = is_empty ? 0 : is_certain ? clamped(left - first_col, -1, cols) : 0;
    window[3] = is_empty ? 0 : is_certain ? clamped(right - first_col, 2, cols) : cols;
}

/* Return twice the area of a ring, in the order of operations of area_of_ring in
 * engine/src/many/label_tiles.cpp: each item of a group computes a term, and each adds them all. */
POLYMASK_FUNCTION double twice_area(GLOBAL const double *v, polymask_index first,
                                    polymask_index end, LOCAL double *terms)
{
    const double x0 = v[2 * first], y0 = v[2 * first + 1];
    double twice = 0;
    for (polymask_index start = first + 1; start + 1 < end; start += LOCAL_SIZE_X) {
        const polymask_index i = start + LOCAL_X;
        if (i + 1 < end)
            terms[LOCAL_X] =
                (v[2 * i] - x0) * (v[2 * i + 3] - y0) - (v[2 * i + 2] - x0) * (v[2 * i + 1] - y0);
        BARRIER();
        for (int k = 0; k < LOCAL_SIZE_X && start + k + 1 < end; k++)
            twice += terms[k];
        BARRIER();
    }
    return fabs(twice);
}

/* A group per feature: its area, that of the engine to the bit. Local memory has a number for each
 * item. */
KERNEL void compute_areas(GLOBAL const double *vertices, GLOBAL const polymask_index *rings,
                          GLOBAL const polymask_index *polygons,
                          GLOBAL const polymask_index *features, GLOBAL double *areas,
                          LOCAL_ARGUMENT(double, memory))
{
    LOCAL_MEMORY(double, memory);
    const polymask_index feature = GROUP_X;
    double area = 0;
    for (polymask_index polygon = features[feature]; polygon < features[feature + 1]; polygon++) {
        for (polymask_index ring = polygons[polygon]; ring < polygons[polygon + 1]; ring++) {
            const double own = twice_area(vertices, rings[ring], rings[ring + 1], memory) / 2;
            area += ring == polygons[polygon] ? own : -own;
        }
    }
    if (LOCAL_X == 0)
        areas[feature] = area == area ? area : LARGEST * 2; /* infinite if it is not a number */
}
