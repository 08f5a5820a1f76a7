/* Masks, labels and pixel counts of many polygons on a GPU.
 *
 * A group of items computes a tile, some rows of 32 * words columns of one feature, by the scanline
 * algorithm: see scanline.cl. Its result is a bit per pixel in local memory, which four kernels
 * write as bytes, as bits, as labels, or as a count.
 *
 * Polygons are one array of points. Each ring repeats its first vertex and ends with a point that
 * is not a number: the edge from a point to the next crosses no row if either is NaN, so no kernel
 * needs to know where rings begin.
 */
#include "device.h"

typedef struct { /* the same for all groups of a launch; 8 bytes each, as the host packs them */
    polymask_index first_row, first_col;    /* of the image's first sample, in the plane */
    double shift;                           /* added to samples: 0.5 for centres of pixels */
    polymask_index border_value;            /* of a sample on a vertex; 2: the edges decide */
    polymask_index watertight;              /* cross an edge from its end with the smaller y? */
    polymask_index rows, cols;              /* of the image */
    polymask_index tile_rows, tile_words;   /* of a tile; a word is 32 columns */
    polymask_index slices;                  /* groups that share a feature's tiles */
    polymask_index has_chunks;              /* are there boxes of chunks of edges? */
    polymask_index has_windows;             /* are there windows of features? */
    polymask_index margin;                  /* columns by which a row may begin further left */
    polymask_index row_stride, mask_stride; /* of the result, in elements */
    /* Where the parts of `Lines` begin in local memory, in words; `inside` begins at 0. Only the
     * host states their sizes, as it allocates this memory. */
    polymask_index toggles, stamps, parities, chunks, count;
} Job;

typedef struct {
    polymask_index row, col; /* its first, in the image */
    int rows, words;
    uint align, step; /* row k begins (align + k * step) % 16 columns further left */
} Tile;

typedef struct { /* rows of a feature in the image, and columns */
    polymask_index top, bottom, left, right;
} Window;

/* Local memory: lines of bits, one per row of the tile. */
typedef struct {
    LOCAL uint *inside;   /* the result */
    LOCAL uint *toggles;  /* an edge toggles all pixels of its row up to one: its bit */
    LOCAL uint *stamps;   /* the vertices on a sample */
    LOCAL uint *parities; /* a bit per word of toggles: is their number odd? */
    LOCAL uint *chunks;   /* a list of chunks, one per item of the group */
    LOCAL uint *count;    /* its length */
} Lines;

#define CHUNK 32       /* consecutive edges with a common box */
#define MOST_PLAIN 256 /* points of a polygon up to which each edge is compared with each tile */

POLYMASK_FUNCTION polymask_index smaller(polymask_index a, polymask_index b)
{
    return a < b ? a : b;
}

POLYMASK_FUNCTION int words_of_parities(const Tile tile)
{
    return (tile.words + 31) / 32;
}

POLYMASK_FUNCTION Lines lines_in(LOCAL uint *memory, const Job job)
{
    Lines lines;
    lines.inside = memory;
    lines.toggles = memory + job.toggles;
    lines.stamps = memory + job.stamps;
    lines.parities = memory + job.parities;
    lines.chunks = memory + job.chunks;
    lines.count = memory + job.count;
    return lines;
}

/* Return how many columns left of its others row k of a tile begins. */
POLYMASK_FUNCTION int columns_before(const Tile tile, int k)
{
    return (int)((tile.align + k * tile.step) % 16);
}

/* Return the last sample, an integer, that an edge toggles on row y, which it crosses. */
POLYMASK_FUNCTION double last_toggled(double y, double2 p1, double2 p2, const Job job)
{
    if (job.watertight && p2.y < p1.y) {
        const double2 other = p1;
        p1 = p2;
        p2 = other;
    }
    const double right = p1.x > p2.x ? p1.x : p2.x;
    double x = p1.x == p2.x ? p1.x : crossing_x(y, p1.x, p1.y, p2.x, p2.y);
    if (job.watertight && job.border_value == 2 && y == p2.y)
        x = p2.x; /* edges that meet in a sample all cross there */
    x = x > right ? right : x;
    const double whole = floor(x);
    return x - whole >= job.shift ? whole : whole - 1;
}

/* Toggle where the edge p1 -> p2 crosses the rows lane, lane + lanes, ... of a tile; stamp p1. */
POLYMASK_FUNCTION void add_edge(const Job job, const Tile tile, const Lines lines, double2 p1,
                                double2 p2, int lane, int lanes)
{
    const double low = p1.y < p2.y ? p1.y : p2.y, high = p1.y > p2.y ? p1.y : p2.y;
    const double top = (double)(job.first_row + tile.row);
    const double left = (double)(job.first_col + tile.col);
    const double vertex = floor(p1.x);
    const int on_column = job.border_value != 2 && p1.x - vertex == job.shift;
    for (int k = lane; k < tile.rows; k += lanes) {
        const double y = top + k + job.shift;
        const int crosses = y > low && y <= high, stamps = on_column && p1.y == y;
        if (!crosses && !stamps)
            continue;
        const int before = columns_before(tile, k);
        const int first = tile.col > 0 ? -before : 0; /* of the columns from tile.col on */
        const int last = (int)smaller(32 * tile.words - before, job.cols - tile.col) - 1;
        if (crosses) {
            double column = last_toggled(y, p1, p2, job) - left;
            column = column > last ? last : column; /* clamped before it becomes an integer */
            if (column >= first) {
                const int bit = (int)column + before;
                ATOMIC_XOR(&lines.toggles[k * tile.words + bit / 32], 1u << bit % 32);
                ATOMIC_XOR(&lines.parities[k * words_of_parities(tile) + bit / 1024],
                           1u << bit / 32 % 32);
            }
        }
        if (stamps && vertex - left >= first && vertex - left <= last) {
            const int bit = (int)(vertex - left) + before;
            ATOMIC_OR(&lines.stamps[k * tile.words + bit / 32], 1u << bit % 32);
        }
    }
}

/* Return whether edges in a box (its top, bottom, right and left) can toggle or stamp pixels of a
 * tile. Those right of the tile toggle all of it; those left of it toggle nothing. */
POLYMASK_FUNCTION int reaches(GLOBAL const double *box, const Job job, const Tile tile)
{
    const double top = (double)(job.first_row + tile.row) + job.shift;
    return box[1] >= top && box[0] <= top + (tile.rows - 1) &&
           box[2] >= (double)(job.first_col + tile.col - 16);
}

/* Add the edges between the points first .. end - 1, one polygon, to the lines of a tile. */
POLYMASK_FUNCTION void add_polygon(const Job job, const Tile tile, const Lines lines,
                                   GLOBAL const double2 *points, GLOBAL const double *boxes,
                                   polymask_index first, polymask_index end)
{
    const int item = LOCAL_X, items = LOCAL_SIZE_X;
    const int size = tile.rows * tile.words;
    for (int k = item; k < size; k += items)
        lines.toggles[k] = lines.stamps[k] = 0;
    for (int k = item; k < tile.rows * words_of_parities(tile); k += items)
        lines.parities[k] = 0;
    BARRIER();
    if (!job.has_chunks || end - first <= MOST_PLAIN) { /* an item per edge and row */
        for (int k = item; k < (end - first - 1) * tile.rows; k += items) {
            const polymask_index i = first + k / tile.rows;
            add_edge(job, tile, lines, points[i], points[i + 1], k % tile.rows, tile.rows);
        }
        BARRIER();
        return;
    }
    const polymask_index last = (end - 1) / CHUNK;
    for (polymask_index chunk = first / CHUNK; chunk <= last; chunk += items) {
        if (item == 0)
            *lines.count = 0;
        BARRIER();
        if (chunk + item <= last && reaches(boxes + 4 * (chunk + item), job, tile))
            lines.chunks[ATOMIC_ADD(lines.count, 1u)] = item;
        BARRIER();
        for (int k = item; k < (int)*lines.count * CHUNK; k += items) { /* an item per edge */
            const polymask_index i = (chunk + lines.chunks[k / CHUNK]) * CHUNK + k % CHUNK;
            if (i >= first && i < end - 1)
                add_edge(job, tile, lines, points[i], points[i + 1], 0, 1);
        }
        BARRIER();
    }
}

/* Let the bit of each word in `parities` be the parity of all toggles from that word onwards. */
POLYMASK_FUNCTION void sum_parities(const Tile tile, const Lines lines)
{
    const int words = words_of_parities(tile);
    for (int k = LOCAL_X; k < tile.rows; k += LOCAL_SIZE_X) {
        uint odd = 0;
        for (int word = (k + 1) * words - 1; word >= k * words; word--) {
            lines.parities[word] = xor_from_the_right(lines.parities[word]) ^ (odd ? ~0u : 0u);
            odd = lines.parities[word] & 1;
        }
    }
    BARRIER();
}

/* Return a word of row k: the pixels inside a polygon. */
POLYMASK_FUNCTION uint pixels_of(const Job job, const Tile tile, const Lines lines, int k, int word)
{
    const uint right = lines.parities[k * words_of_parities(tile) + word / 32] >> word % 32;
    uint bits = xor_from_the_right(lines.toggles[k * tile.words + word]);
    if ((bits & 1) != (right & 1))
        bits = ~bits; /* the number of toggles to the right of the word is odd */
    const uint stamps = lines.stamps[k * tile.words + word];
    return job.border_value == 0 ? bits & ~stamps : bits | stamps;
}

/* Compute `lines.inside` of a feature: the union of its polygons. */
POLYMASK_FUNCTION void fill_tile(const Job job, const Tile tile, const Lines lines,
                                 GLOBAL const double2 *points, GLOBAL const double *boxes,
                                 GLOBAL const polymask_index *polygons, polymask_index first,
                                 polymask_index end)
{
    const int size = tile.rows * tile.words;
    for (int k = LOCAL_X; k < size; k += LOCAL_SIZE_X)
        lines.inside[k] = 0;
    for (polymask_index polygon = first; polygon < end; polygon++) {
        add_polygon(job, tile, lines, points, boxes, polygons[polygon], polygons[polygon + 1]);
        sum_parities(tile, lines);
        for (int k = LOCAL_X; k < size; k += LOCAL_SIZE_X)
            lines.inside[k] |= pixels_of(job, tile, lines, k / tile.words, k % tile.words);
        BARRIER();
    }
}

/* Return a group's tile of an image that is divided into tiles of equal size, row by row. */
POLYMASK_FUNCTION Tile tile_of_image(const Job job, polymask_index number, polymask_index wide)
{
    Tile tile;
    tile.row = number / wide * job.tile_rows;
    tile.col = number % wide * job.tile_words * 32;
    tile.rows = (int)smaller(job.tile_rows, job.rows - tile.row);
    tile.words = (int)job.tile_words;
    tile.align = tile.step = 0;
    return tile;
}

/* Return whether a feature can have pixels in a tile; true if its window is not known. */
POLYMASK_FUNCTION int meets(GLOBAL const Window *windows, polymask_index feature, const Job job,
                            const Tile tile)
{
    if (!job.has_windows)
        return 1;
    const Window window = windows[feature];
    return window.top < tile.row + tile.rows && window.bottom > tile.row &&
           window.left < tile.col + 32 * (polymask_index)tile.words && window.right > tile.col - 15;
}

/* Write half a word, 16 pixels, to a row from column x; row[x] is at a multiple of 16. */
POLYMASK_FUNCTION void write_bytes(GLOBAL uchar *row, polymask_index x, polymask_index cols,
                                   uint bits)
{
    if (x >= 0 && x + 16 <= cols) {
        STORE_BITS(row + x, bits);
        return;
    }
    for (int b = x < 0 ? (int)-x : 0; b < 16 && x + b < cols; b++) /* the row's two ends */
        row[x + b] = bits >> b & 1;
}

/* Masks of a byte per pixel. A group computes a tile of a mask; the number of groups is features *
 * tiles. Bit 0 of a row belongs to an address that is a multiple of 16. */
KERNEL void draw_masks(GLOBAL const double2 *points, GLOBAL const double *boxes,
                       GLOBAL const polymask_index *polygons, GLOBAL const polymask_index *features,
                       GLOBAL const Window *windows, GLOBAL uchar *masks, const Job job,
                       LOCAL_ARGUMENT(uint, memory))
{
    LOCAL_MEMORY(uint, memory);
    const polymask_index columns = 32 * job.tile_words;
    const polymask_index wide = (job.cols + job.margin + columns - 1) / columns;
    const polymask_index tiles = wide * ((job.rows + job.tile_rows - 1) / job.tile_rows);
    const polymask_index feature = GROUP_X / tiles;
    Tile tile = tile_of_image(job, GROUP_X % tiles, wide);
    GLOBAL uchar *mask = masks + feature * job.mask_stride + tile.row * job.row_stride;
    tile.align = (uint)((size_t)mask % 16);
    tile.step = (uint)(job.row_stride % 16);
    const Lines lines = lines_in(memory, job);
    const polymask_index first = features[feature], end = features[feature + 1];
    const int inside = first < end && meets(windows, feature, job, tile);
    if (inside)
        fill_tile(job, tile, lines, points, boxes, polygons, first, end);
    const int halves = 2 * tile.words;
    for (int k = LOCAL_X; k < tile.rows * halves; k += LOCAL_SIZE_X) {
        const int row = k / halves, second = k % halves;
        const polymask_index x = tile.col - columns_before(tile, row) + 16 * (polymask_index)second;
        const uint bits =
            inside ? lines.inside[row * tile.words + second / 2] >> 16 * (second % 2) : 0;
        if (x < job.cols)
            write_bytes(mask + row * job.row_stride, x, job.cols, bits & 0xffff);
    }
}

/* Masks of a bit per pixel, the first pixel of eight in the lowest bit; otherwise as draw_masks. */
KERNEL void draw_bits(GLOBAL const double2 *points, GLOBAL const double *boxes,
                      GLOBAL const polymask_index *polygons, GLOBAL const polymask_index *features,
                      GLOBAL const Window *windows, GLOBAL uchar *masks, const Job job,
                      LOCAL_ARGUMENT(uint, memory))
{
    LOCAL_MEMORY(uint, memory);
    const polymask_index wide = (job.cols + 32 * job.tile_words - 1) / (32 * job.tile_words);
    const polymask_index tiles = wide * ((job.rows + job.tile_rows - 1) / job.tile_rows);
    const polymask_index feature = GROUP_X / tiles;
    const Tile tile = tile_of_image(job, GROUP_X % tiles, wide);
    const Lines lines = lines_in(memory, job);
    const polymask_index first = features[feature], end = features[feature + 1];
    const int inside = first < end && meets(windows, feature, job, tile);
    if (inside)
        fill_tile(job, tile, lines, points, boxes, polygons, first, end);
    GLOBAL uchar *mask = masks + feature * job.mask_stride + tile.row * job.row_stride;
    for (int k = LOCAL_X; k < 4 * tile.rows * tile.words; k += LOCAL_SIZE_X) {
        const int row = k / (4 * tile.words), byte = k % (4 * tile.words);
        const polymask_index x = tile.col + 8 * (polymask_index)byte;
        if (x < job.cols)
            mask[row * job.row_stride + x / 8] =
                inside ? (uchar)(lines.inside[row * tile.words + byte / 4] >> 8 * (byte % 4)) : 0;
    }
}

/* Return the next tile of a feature's window that a group computes, from tile `number` on. */
POLYMASK_FUNCTION Tile tile_of_window(const Job job, const Window window, polymask_index number)
{
    const polymask_index columns = 32 * job.tile_words;
    const polymask_index wide = (window.right - window.left + columns - 1) / columns;
    Tile tile;
    tile.row = window.top + number / wide * job.tile_rows;
    tile.col = window.left + number % wide * columns;
    tile.rows = (int)smaller(job.tile_rows, window.bottom - tile.row);
    tile.words = (int)job.tile_words;
    tile.align = tile.step = 0;
    return tile;
}

POLYMASK_FUNCTION polymask_index tiles_of(const Job job, const Window window)
{
    const polymask_index columns = 32 * job.tile_words;
    return (window.right - window.left + columns - 1) / columns *
           ((window.bottom - window.top + job.tile_rows - 1) / job.tile_rows);
}

/* A label image: each pixel receives the largest rank of the features that it is in, whatever their
 * order in time. A feature's window is divided into tiles, which `slices` groups share. */
KERNEL void paint_ranks(GLOBAL const double2 *points, GLOBAL const double *boxes,
                        GLOBAL const polymask_index *polygons,
                        GLOBAL const polymask_index *features, GLOBAL const Window *windows,
                        GLOBAL const int *ranks, GLOBAL int *image, const Job job,
                        LOCAL_ARGUMENT(uint, memory))
{
    LOCAL_MEMORY(uint, memory);
    const polymask_index feature = GROUP_X / job.slices;
    const Window window = windows[feature];
    const polymask_index tiles = tiles_of(job, window);
    const int rank = ranks[feature];
    for (polymask_index number = GROUP_X % job.slices; number < tiles; number += job.slices) {
        const Tile tile = tile_of_window(job, window, number);
        const Lines lines = lines_in(memory, job);
        fill_tile(job, tile, lines, points, boxes, polygons, features[feature],
                  features[feature + 1]);
        for (int k = LOCAL_X; k < 32 * tile.rows * tile.words; k += LOCAL_SIZE_X) {
            if (!(lines.inside[k / 32] >> k % 32 & 1))
                continue;
            const int row = k / 32 / tile.words, bit = k - 32 * tile.words * row;
            ATOMIC_MAX(&image[(tile.row + row) * job.row_stride + tile.col + bit], rank);
        }
        BARRIER();
    }
}

/* The number of pixels of each feature, as the sum of `slices` numbers. */
KERNEL void count_pixels(GLOBAL const double2 *points, GLOBAL const double *boxes,
                         GLOBAL const polymask_index *polygons,
                         GLOBAL const polymask_index *features, GLOBAL const Window *windows,
                         GLOBAL polymask_index *counts, const Job job, LOCAL_ARGUMENT(uint, memory))
{
    LOCAL_MEMORY(uint, memory);
    const polymask_index feature = GROUP_X / job.slices;
    const Window window = windows[feature];
    const polymask_index tiles = tiles_of(job, window);
    polymask_index count = 0;
    for (polymask_index number = GROUP_X % job.slices; number < tiles; number += job.slices) {
        const Tile tile = tile_of_window(job, window, number);
        const Lines lines = lines_in(memory, job);
        fill_tile(job, tile, lines, points, boxes, polygons, features[feature],
                  features[feature + 1]);
        if (LOCAL_X == 0)
            *lines.count = 0;
        BARRIER();
        for (int k = LOCAL_X; k < tile.rows * tile.words; k += LOCAL_SIZE_X)
            ATOMIC_ADD(lines.count, (uint)COUNT_BITS(lines.inside[k]));
        BARRIER();
        count += *lines.count;
        BARRIER();
    }
    if (LOCAL_X == 0)
        counts[GROUP_X] = count;
}
