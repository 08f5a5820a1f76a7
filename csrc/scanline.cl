// The mask with the scanline algorithm on an OpenCL device: each work-group computes several rows.
//
// An edge that crosses row y toggles its pixels 0..X. Each row has a line of bits in local memory,
// and each crossing toggles one bit there, that of X. A pixel is inside if the number of bits set
// from it to the end of the row is odd, so exclusive or from right to left gives the mask.
// The host replaces the next line with the header's text, so no include path is needed.
#include "inside_polygon.h"

// Return the last pixel of row y that the edge p1 -> p2 toggles; not a number if there is none.
double crossing(const double y, const double2 p1, const double2 p2)
{
    if (!(y > (p1.y < p2.y ? p1.y : p2.y) && y <= (p1.y > p2.y ? p1.y : p2.y)))
        return NAN;
    const double xinters = crossing_x(y, p1.x, p1.y, p2.x, p2.y);
    const double right = p1.x > p2.x ? p1.x : p2.x;
    return floor(xinters > right ? right : xinters); // fmin would turn a NaN into a number
}

// Bit i of the result is the exclusive or of the bits i..31.
uint xor_from_the_right(uint bits)
{
    bits ^= bits >> 1;
    bits ^= bits >> 2;
    bits ^= bits >> 4;
    bits ^= bits >> 8;
    return bits ^ bits >> 16;
}

// A work-group computes a tile of get_local_size(1) rows; get_local_size(0) items share a row. The
// width of a tile is `blocks` blocks of 1024 bits, as local memory allows. A wider image has more
// tiles per row, which are independent: a crossing to the right of a tile toggles all of the tile.
// `memory` has 65 words per row and block.
kernel void polygon_mask(global const double2 *vertices, const long n, const int border_value,
                         const long rows, const long cols, global uchar *mask, const int blocks,
                         local uint *memory)
{
    const int item = get_local_id(0), items = get_local_size(0);
    const int words = 32 * blocks;
    local uint *toggles = memory + get_local_id(1) * (2 * words + blocks);
    local uint *stamps = toggles + words;  // the vertices on a pixel
    local uint *parities = stamps + words; // a bit per word of toggles: is their number odd?
    for (int k = item; k < 2 * words + blocks; k += items)
        toggles[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    // Bit 0 of the row belongs to an address that is a multiple of 16: the row's first pixel, or
    // up to 15 columns to the left of it. 16 bits thus become 16 bytes in one aligned store.
    const long y = get_global_id(1);            // rows below the image are computed but not written
    const long tile = get_global_id(0) / items; // a launch may begin with a later tile
    const long start = tile * 32L * words - y * cols % 16;
    const long stop = min(start + 32L * words, cols);
    for (long i = item; i < n; i += items) {
        const double2 p1 = vertices[i], p2 = vertices[i + 1 < n ? i + 1 : 0];
        double x = crossing(y, p1, p2);
        x = x > stop - 1 ? stop - 1 : x; // clamped before it becomes an integer
        if (x >= start) {                // false if x is not a number
            const int bit = (long)x - start;
            atomic_xor(&toggles[bit / 32], 1u << bit % 32);
            atomic_xor(&parities[bit / 1024], 1u << bit / 32 % 32);
        }
        if (p1.y == y && p1.x == floor(p1.x) && p1.x >= start && p1.x < stop) {
            const int bit = (long)p1.x - start;
            atomic_or(&stamps[bit / 32], 1u << bit % 32);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    // The parities of 32 words are 32 bits: the same step one level up leaves little work for this
    // single item. Afterwards each word's bit is the parity of all toggles from the word onwards.
    if (item == 0) {
        uint odd = 0;
        for (int k = blocks - 1; k >= 0; k--) {
            parities[k] = xor_from_the_right(parities[k]) ^ (odd ? ~0u : 0u);
            odd = parities[k] & 1;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    const ushort16 shifts = (ushort16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    for (int k = item; y < rows && start + 16L * k < stop; k += items) { // half a word: 16 pixels
        uint bits = xor_from_the_right(toggles[k / 2]);
        if ((bits & 1) != (parities[k / 64] >> k / 2 % 32 & 1))
            bits = ~bits; // the number of toggles to the right of the word is odd
        bits = border_value ? bits | stamps[k / 2] : bits & ~stamps[k / 2];
        bits = bits >> 16 * (k % 2) & 0xffff;
        const long x = start + 16L * k;
        global uchar *pixels = mask + y * cols + x;
        if (x >= 0 && x + 16 <= cols)
            *(global uchar16 *)pixels = convert_uchar16((ushort16)(bits) >> shifts & (ushort16)(1));
        else // the row's two ends
            for (int b = max(-x, 0L); b < 16 && x + b < cols; b++)
                pixels[b] = bits >> b & 1;
    }
}
