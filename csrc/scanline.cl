// The mask with the scanline algorithm on a device: each work-group computes several rows. The
// words in capitals are those of device.h, so that this is one kernel for OpenCL and CUDA.
//
// An edge that crosses row y toggles the pixels 0..X of the row. Each row has a line of bits in
// local memory, and each crossing toggles one bit there, that of X. A pixel is inside if the number
// of bits set from it to the end of the row is odd, so exclusive or from right to left gives the
// mask.
// The host replaces the next line with the header's text, so no include path is needed.
#include "device.h"

// Return the last pixel of row y that the edge p1 -> p2 toggles; a number left of all tiles, or not
// a number, if there is none.
POLYMASK_FUNCTION double crossing(const double y, const double2 p1, const double2 p2)
{
    if (!(y > (p1.y < p2.y ? p1.y : p2.y) && y <= (p1.y > p2.y ? p1.y : p2.y)))
        return -16; // tiles start at -15 or later
    const double xinters = crossing_x(y, p1.x, p1.y, p2.x, p2.y);
    const double right = p1.x > p2.x ? p1.x : p2.x;
    return floor(xinters > right ? right : xinters); // fmin would turn a NaN into a number
}

// A work-group computes a tile of several rows; LOCAL_SIZE_X items share a row. The width of a tile
// is `blocks` blocks of 1024 bits, as local memory allows. A wider image has more tiles per row,
// which are independent: a crossing to the right of a tile toggles all of the tile. `memory` has 65
// words per row and block.
KERNEL void polygon_mask(GLOBAL const double2 *vertices, const polymask_index n,
                         const int border_value, const polymask_index rows,
                         const polymask_index cols, GLOBAL uchar *mask, const int blocks,
                         LOCAL_ARGUMENT(uint, memory))
{
    LOCAL_MEMORY(uint, memory);
    const int item = LOCAL_X, items = LOCAL_SIZE_X;
    const int words = 32 * blocks;
    LOCAL uint *toggles = memory + LOCAL_Y * (2 * words + blocks);
    LOCAL uint *stamps = toggles + words;  // the vertices on a pixel
    LOCAL uint *parities = stamps + words; // a bit per word of toggles: is their number odd?
    for (int k = item; k < 2 * words + blocks; k += items)
        toggles[k] = 0;
    BARRIER();

    // Bit 0 of the row belongs to an address that is a multiple of 16: the row's first pixel, or
    // up to 15 columns to the left of it. 16 bits thus become 16 bytes in one aligned store.
    const polymask_index y = GLOBAL_Y; // rows below the image are computed but not written
    const polymask_index tile = GLOBAL_X / items; // a launch may begin with a later tile
    const polymask_index start = tile * 32 * words - y * cols % 16;
    const polymask_index stop = start + 32 * words < cols ? start + 32 * words : cols;
    for (polymask_index i = item; i < n; i += items) {
        const double2 p1 = vertices[i], p2 = vertices[i + 1 < n ? i + 1 : 0];
        double x = crossing(y, p1, p2);
        x = x > stop - 1 ? stop - 1 : x; // clamped before it becomes an integer
        if (x >= start) {                // false if x is not a number
            const int bit = (polymask_index)x - start;
            ATOMIC_XOR(&toggles[bit / 32], 1u << bit % 32);
            ATOMIC_XOR(&parities[bit / 1024], 1u << bit / 32 % 32);
        }
        if (p1.y == y && p1.x == floor(p1.x) && p1.x >= start && p1.x < stop) {
            const int bit = (polymask_index)p1.x - start;
            ATOMIC_OR(&stamps[bit / 32], 1u << bit % 32);
        }
    }
    BARRIER();

    // The parities of 32 words are 32 bits: the same step one level up leaves little work for this
    // single item. Afterwards each word's bit is the parity of all toggles from the word onwards.
    if (item == 0) {
        uint odd = 0;
        for (int k = blocks - 1; k >= 0; k--) {
            parities[k] = xor_from_the_right(parities[k]) ^ (odd ? ~0u : 0u);
            odd = parities[k] & 1;
        }
    }
    BARRIER();

    for (int k = item; y < rows && start + 16 * k < stop; k += items) { // half a word: 16 pixels
        uint bits = xor_from_the_right(toggles[k / 2]);
        if ((bits & 1) != (parities[k / 64] >> k / 2 % 32 & 1))
            bits = ~bits; // the number of toggles to the right of the word is odd
        bits = border_value ? bits | stamps[k / 2] : bits & ~stamps[k / 2];
        bits = bits >> 16 * (k % 2) & 0xffff;
        const polymask_index x = start + 16 * k;
        GLOBAL uchar *pixels = mask + y * cols + x;
        if (x >= 0 && x + 16 <= cols)
            STORE_BITS(pixels, bits);
        else // the row's two ends
            for (int b = x < 0 ? (int)-x : 0; b < 16 && x + b < cols; b++)
                pixels[b] = bits >> b & 1;
    }
}
