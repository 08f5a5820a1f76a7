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

/* An item per chunk: the top, bottom and right of its edges. */
KERNEL void bound_chunks(GLOBAL const double *points, const polymask_index count,
                         GLOBAL double *boxes)
{
    const polymask_index first = GLOBAL_X * CHUNK;
    if (first >= count)
        return;
    double top = LARGEST, bottom = -LARGEST, right = -LARGEST;
    for (polymask_index i = first; i <= first + CHUNK && i < count; i++) {
        const double x = points[2 * i], y = points[2 * i + 1];
        top = y < top ? y : top; /* false if y is not a number */
        bottom = y > bottom ? y : bottom;
        right = x > right ? x : right;
    }
    boxes[3 * GLOBAL_X] = top;
    boxes[3 * GLOBAL_X + 1] = bottom;
    boxes[3 * GLOBAL_X + 2] = right;
}

/* Return floor(v) + margin, within 0 .. size. */
POLYMASK_FUNCTION polymask_index clamped(double v, int margin, polymask_index size)
{
    const double index = floor(v) + margin;
    return index<0 ? 0 : index>(double) size ? size : (polymask_index)index;
}

/* A group per feature: its window (top, bottom, left, right), which has all its pixels. */
KERNEL void find_windows(GLOBAL const double *points, GLOBAL const polymask_index *polygons,
                         GLOBAL const polymask_index *features, const double first_row,
                         const double first_col, const polymask_index rows,
                         const polymask_index cols, GLOBAL polymask_index *windows,
                         LOCAL_ARGUMENT(double, memory))
{
    LOCAL_MEMORY(double, memory);
    const polymask_index feature = GROUP_X, end = polygons[features[feature + 1]];
    double left = LARGEST, top = LARGEST, right = LARGEST, bottom = LARGEST;
    for (polymask_index i = polygons[features[feature]] + LOCAL_X; i < end; i += LOCAL_SIZE_X) {
        const double x = points[2 * i], y = points[2 * i + 1];
        left = x < left ? x : left;
        top = y < top ? y : top;
        right = -x < right ? -x : right; /* negated, so that all four are minima */
        bottom = -y < bottom ? -y : bottom;
    }
    memory[4 * LOCAL_X] = left;
    memory[4 * LOCAL_X + 1] = top;
    memory[4 * LOCAL_X + 2] = right;
    memory[4 * LOCAL_X + 3] = bottom;
    BARRIER();
    for (int side = LOCAL_X; side < 4; side += LOCAL_SIZE_X)
        for (int k = 1; k < LOCAL_SIZE_X; k++)
            memory[side] =
                memory[4 * k + side] < memory[side] ? memory[4 * k + side] : memory[side];
    BARRIER();
    if (LOCAL_X != 0)
        return;
    left = memory[0], top = memory[1], right = -memory[2], bottom = -memory[3];
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
 * engine/src/many/label_tiles.cpp. */
POLYMASK_FUNCTION double twice_area(GLOBAL const double *v, polymask_index first,
                                    polymask_index end)
{
    const double x0 = v[2 * first], y0 = v[2 * first + 1];
    double twice = 0;
    for (polymask_index i = first + 1; i + 1 < end; i++)
        twice += (v[2 * i] - x0) * (v[2 * i + 3] - y0) - (v[2 * i + 2] - x0) * (v[2 * i + 1] - y0);
    return fabs(twice);
}

/* An item per feature: its area, that of the engine to the bit. */
KERNEL void compute_areas(GLOBAL const double *vertices, GLOBAL const polymask_index *rings,
                          GLOBAL const polymask_index *polygons,
                          GLOBAL const polymask_index *features, const polymask_index count,
                          GLOBAL double *areas)
{
    const polymask_index feature = GLOBAL_X;
    if (feature >= count)
        return;
    double area = 0;
    for (polymask_index polygon = features[feature]; polygon < features[feature + 1]; polygon++) {
        for (polymask_index ring = polygons[polygon]; ring < polygons[polygon + 1]; ring++) {
            const double own = twice_area(vertices, rings[ring], rings[ring + 1]) / 2;
            area += ring == polygons[polygon] ? own : -own;
        }
    }
    areas[feature] = area == area ? area : LARGEST * 2; /* infinite if it is not a number */
}
