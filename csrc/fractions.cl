/* The fraction of each pixel that a polygon covers.
 *
 * Edges add to differences of areas from pixel to pixel along a row, and a sum along the row gives
 * the area that is covered: see engine/src/coverage/squares.hpp. Areas are integers in units of
 * 2^-31 of a pixel, modulo 2^32, so atomic additions in any order give the same result. Each edge
 * adds the integers of engine/src/kernels/generic/coverage.inl and coverage_rows.inl, where the
 * steps are explained; here a row is computed by one item.
 *
 * Points are those of rings.cl. All rings run so that the inside has winding 1.
 */
#include "device.h"

#define WHOLE 0x80000000u /* a square, a height or a width, in units */
#define UNITS 0x1p31      /* the same as a number */
#define ROUND 0x1p52      /* after its addition, the last digits are an integer */
#define TO_FIXED 0x1.8p21 /* after its addition, 31 digits follow the point */
#define MOST_X 0x1p20     /* the limit for such sums */
#define MOST 0x1p51
#define FAR 0x1p50

typedef struct { /* from its end with the smaller y, relative to the borders of squares */
    double x1, y1, x2, y2;
    double slope, steepness;            /* dx/dy, and |dy/dx| */
    polymask_index first_row, last_row; /* the rows of the window that contain its ends */
    uint first_y, last_y;               /* the positions in these rows, in units */
    int is_upwards, is_far;
} Edge;

typedef struct { /* of a window */
    GLOBAL uint *sums;
    polymask_index first_col, cols;
    int is_negative; /* are areas subtracted? */
} Row;

typedef struct { /* where an edge crosses the border of a row */
    uint units;  /* from the border of a column; the highest bit has no meaning */
    int column;
} Crossing;

/* What lies left of the window is added to its first column, and the rest is left out. */
POLYMASK_FUNCTION void add_units(const Row row, polymask_index column, uint units)
{
    if (column < row.cols && units != 0)
        ATOMIC_ADD(row.sums + (column > 0 ? column : 0), row.is_negative ? 0 - units : units);
}

/* Round an area of 0 .. 2^31 units, halves up. */
POLYMASK_FUNCTION uint to_units(double v)
{
    return (uint)(int)(v - (UNITS + 0.5)) + WHOLE;
}

/* Round such an area to the nearest number, halves to even. */
POLYMASK_FUNCTION uint rounded(double v)
{
    return (uint)DOUBLE_BITS(v + ROUND);
}

POLYMASK_FUNCTION double limited(double v, double low, double high)
{
    const double above = v > low ? v : low; /* low if v is not a number */
    return above < high ? above : high;
}

/* Return where an edge crosses the height y. */
POLYMASK_FUNCTION double x_at(const Edge e, double y)
{
    const double low = e.x1 < e.x2 ? e.x1 : e.x2, high = e.x1 < e.x2 ? e.x2 : e.x1;
    if (e.is_far) {
        const double part = (y / 2 - e.y1 / 2) / (e.y2 / 2 - e.y1 / 2);
        return limited(e.x1 * (1 - part) + e.x2 * part, low, high);
    }
    return limited(e.x1 + (y - e.y1) * e.slope, low, high);
}

POLYMASK_FUNCTION Crossing crossing_at(const Edge e, double y)
{
    const polymask_index bits = DOUBLE_BITS(x_at(e, y) + TO_FIXED);
    const int column = (int)((uint)(bits >> 31) - (uint)(DOUBLE_BITS(TO_FIXED) >> 31));
    const Crossing crossing = {(uint)bits, column};
    return crossing;
}

POLYMASK_FUNCTION uint height_at(double distance, double steepness, double all)
{
    const double reached = distance * steepness;
    return to_units(reached < all ? reached : all);
}

/* Add the area right of a piece of an edge within a row, from xa to xb, over `height` units. */
POLYMASK_FUNCTION void cover_piece(const Edge e, const Row row, double xa, double xb, uint height)
{
    const double left = limited(xa < xb ? xa : xb, -MOST, MOST);
    const double right = limited(xa < xb ? xb : xa, -MOST, MOST);
    const double left_cell = floor(left), right_cell = floor(right);
    const double first_col = (double)row.first_col, cols = (double)row.cols, all = height;
    const double first = left_cell - first_col, last = right_cell - first_col;
    if (first >= cols)
        return;
    if (last < 0) {
        add_units(row, -1, height);
        return;
    }
    if (left_cell == right_cell) {
        const polymask_index column = (polymask_index)first;
        const uint next = to_units(all * (0.5 * ((left - left_cell) + (right - left_cell))));
        add_units(row, column, height - next);
        add_units(row, column + 1, next);
        return;
    }

    const double steepness = e.steepness * UNITS;
    polymask_index column = 0;
    uint before, carried = 0; /* the height left of the column, and the area from the one before */
    if (first < 0) {
        before = height_at(first_col - left, steepness, all);
        add_units(row, -1, before);
    } else {
        column = (polymask_index)first;
        before = height_at(left_cell + 1 - left, steepness, all);
        carried = to_units(before * (0.5 * ((left - left_cell) + 1)));
        add_units(row, column, before - carried);
        column++;
    }
    const polymask_index end = (polymask_index)(last < cols ? last : cols);
#pragma unroll 1 /* for fewer registers */
    for (; column < end; column++) {
        const double border = (double)column + (first_col + 1);
        const uint reached = height_at(border - left, steepness, all),
                   next = (reached - before) / 2;
        add_units(row, column, reached - before - next + carried);
        before = reached;
        carried = next;
    }
    if (last < cols) {
        const uint next = to_units((height - before) * (0.5 * (right - right_cell)));
        add_units(row, column, height - before - next + carried);
        add_units(row, column + 1, next);
    }
}

/* Add the area right of an edge that crosses a row completely, nearer to the vertical. */
POLYMASK_FUNCTION void cover_steep(const Edge e, const Row row, const Crossing above,
                                   const Crossing below)
{
    const int backwards = e.x2 < e.x1;
    const uint left = (backwards ? below.units : above.units) & (WHOLE - 1);
    const uint distance = backwards ? above.units - below.units : below.units - above.units;
    const uint width = distance < WHOLE ? distance : WHOLE, end = left + width;
    const double beyond = (int)((end > WHOLE ? end : WHOLE) - WHOLE);
    const double by_width = (e.steepness < 0x1p32 ? e.steepness : 0x1p32) / 0x1p32;
    const uint third = rounded(beyond * beyond * by_width), uncovered = left + width / 2;
    const polymask_index column = (backwards ? below.column : above.column) - row.first_col;
    add_units(row, column, WHOLE - uncovered + third);
    add_units(row, column + 1, uncovered - (third + third));
    add_units(row, column + 2, third);
}

/* The same for an edge nearer to the horizontal. */
POLYMASK_FUNCTION void cover_flat(const Edge e, const Row row, const Crossing above,
                                  const Crossing below)
{
    const Crossing from = e.x2 < e.x1 ? below : above, to = e.x2 < e.x1 ? above : below;
    const double left = (int)(from.units & (WHOLE - 1)), right = (int)(to.units & (WHOLE - 1));
    const double triangle = e.steepness / 0x1p32, rest = UNITS - left;
    const polymask_index span = (uint)to.column - (uint)from.column;
    const polymask_index column = from.column - row.first_col;
    polymask_index k = column < 0 ? -column : 0;
    k = k < span + 1 ? k : span + 1;
    uint before = 0;
#pragma unroll 1
    for (; k <= span + 1 && column + k < row.cols; k++) {
        const double reached = (((double)k + 0.5) * UNITS - left) * e.steepness;
        const uint covered = k == span ? WHOLE - rounded(right * right * triangle)
                             : k == 0  ? rounded(rest * rest * triangle)
                                       : rounded(reached < UNITS ? reached : UNITS);
        add_units(row, column + k, covered - before);
        before = covered;
    }
}

/* Return the edge between two points, whose rows end before 0 if it covers nothing. */
POLYMASK_FUNCTION Edge edge_of(GLOBAL const double *points, double shift, polymask_index first_row,
                               polymask_index rows)
{
    const int is_edge = points[1] == points[1] && points[3] == points[3]; /* not between rings */
    const double xa = points[0] + shift, ya = is_edge ? points[1] + shift : 0;
    const double xb = points[2] + shift, yb = is_edge ? points[3] + shift : 0;
    const int downwards = ya <= yb;
    Edge e;
    e.is_upwards = !downwards;
    e.x1 = downwards ? xa : xb;
    e.y1 = downwards ? ya : yb;
    e.x2 = downwards ? xb : xa;
    e.y2 = downwards ? yb : ya;
    const double top = floor(e.y1), bottom = floor(e.y2);
    e.first_y = (uint)((e.y1 - top) * UNITS + 0.5);
    e.last_y = (uint)((e.y2 - bottom) * UNITS + 0.5);
    const double first = top + (e.first_y >> 31), last = bottom + (e.last_y >> 31);
    e.first_y %= WHOLE;
    e.last_y %= WHOLE;
    const double above = (double)(first_row - 2), below = (double)(first_row + rows + 2);
    e.first_row = (polymask_index)limited(first, above, below) - first_row;
    e.last_row = (polymask_index)limited(last, above, below) - first_row;
    if (first == last && e.first_y == e.last_y)
        e.last_row = -1; /* between two rings, or horizontal */
    const double dx = e.x2 - e.x1, dy = e.y2 - e.y1;
    e.slope = dx / dy;
    e.steepness = fabs(dy / dx); /* infinite if dx is 0 */
    e.is_far = !(fabs(xa) <= FAR && fabs(ya) <= FAR && fabs(xb) <= FAR && fabs(yb) <= FAR);
    return e;
}

/* Add the area right of an edge in one of its rows, whose border above is `y`. */
POLYMASK_FUNCTION void cover_row(const Edge e, const Row row, polymask_index index, double y)
{
    const int is_first = index == e.first_row, is_last = index == e.last_row;
    if (is_first || is_last || e.is_far || fabs(e.x1) > MOST_X || fabs(e.x2) > MOST_X) {
        const double xa = is_first ? e.x1 : x_at(e, y), xb = is_last ? e.x2 : x_at(e, y + 1);
        const uint height = (is_last ? e.last_y : WHOLE) - (is_first ? e.first_y : 0);
        if (height != 0)
            cover_piece(e, row, xa, xb, height);
        return;
    }
    const Crossing above = crossing_at(e, y), below = crossing_at(e, y + 1);
    if (e.steepness >= 1)
        cover_steep(e, row, above, below);
    else
        cover_flat(e, row, above, below);
}

/* Several items per edge: add its areas to the sums of a window, whose rows are `stride` elements
 * apart. Edge i joins the points first + i and first + i + 1. */
KERNEL void add_edges(GLOBAL const double *points, const polymask_index first,
                      const polymask_index edges, const int items, const double shift,
                      const polymask_index first_row, const polymask_index first_col,
                      const polymask_index rows, const polymask_index cols, GLOBAL uint *sums,
                      const polymask_index stride)
{
    const polymask_index number = GLOBAL_X / items;
    if (number >= edges)
        return;
    const Edge e = edge_of(points + 2 * (first + number), shift, first_row, rows);
    const polymask_index top = e.first_row > 0 ? e.first_row : 0;
    for (polymask_index index = top + GLOBAL_X % items; index <= e.last_row && index < rows;
         index += items) {
        const Row row = {sums + index * stride, first_col, cols, e.is_upwards};
        cover_row(e, row, index, (double)(first_row + index));
    }
}

#define RUN 8   /* consecutive columns of an item */
#define MANY 16 /* items whose sums are added together */

/* Return the place of a column in local memory, where a gap follows 32 columns: items that read the
 * same column of their runs then use different banks. */
POLYMASK_FUNCTION int place(int column)
{
    return column + column / 32;
}

/* A group per row: write fractions, of 4 bytes, in place of sums; or add them to `totals`, of 8
 * bytes, if `is_part`. Local memory has a number for each item and each 16 items: these add the
 * sums of their columns, so each item adds few numbers to know what the columns before its own add
 * up to. It also has the columns of all items, with gaps, as neighbours read and write neighbouring
 * columns of the row. */
KERNEL void sum_rows(GLOBAL uint *sums, const polymask_index stride, const polymask_index cols,
                     const int is_part, GLOBAL double *totals, const polymask_index total_stride,
                     LOCAL_ARGUMENT(uint, memory))
{
    LOCAL_MEMORY(uint, memory);
    LOCAL uint *many = memory + LOCAL_SIZE_X, *values = many + LOCAL_SIZE_X / MANY;
    GLOBAL uint *row = sums + GROUP_X * stride;
    GLOBAL double *total = totals + GROUP_X * total_stride;
    uint before = 0; /* the sum of all columns before those of the group */
    const int width = RUN * LOCAL_SIZE_X, from = RUN * LOCAL_X;
    for (polymask_index column = 0; column < cols; column += width) {
        for (int c = LOCAL_X; c < width; c += LOCAL_SIZE_X)
            values[place(c)] = column + c < cols ? row[column + c] : 0;
        BARRIER();
        uint own = 0;
        for (int c = from; c < from + RUN; c++)
            own += values[place(c)];
        memory[LOCAL_X] = own;
        BARRIER();
        if (LOCAL_X < LOCAL_SIZE_X / MANY) {
            uint together = 0;
            for (int i = 0; i < MANY; i++)
                together += memory[MANY * LOCAL_X + i];
            many[LOCAL_X] = together;
        }
        BARRIER();
        uint sum = before;
        for (int i = 0; i < LOCAL_SIZE_X / MANY; i++) {
            sum += i < LOCAL_X / MANY ? many[i] : 0;
            before += many[i];
        }
        for (int i = LOCAL_X / MANY * MANY; i < LOCAL_X; i++)
            sum += memory[i];
        for (int c = from; c < from + RUN; c++) {
            sum += values[place(c)];
            values[place(c)] = sum;
        }
        BARRIER();
        for (int c = LOCAL_X; c < width && column + c < cols; c += LOCAL_SIZE_X) {
            const int area = (int)values[place(c)]; /* which this item replaces in the next turn */
            if (is_part)
                total[column + c] += fabs((double)area) / UNITS;
            else
                row[column + c] = FLOAT_BITS(fabs((float)area) * 0x1p-31f);
        }
    }
}
