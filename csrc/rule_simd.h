/* The rule of inside_polygon.h for a row of pixels, eight at a time.
 *
 * A vector unit compares up to eight numbers in one instruction, but cannot branch for each of
 * them. A compiler can therefore use it only under three conditions:
 *
 * - The pixels are side by side: here in one variable of eight doubles, so that the result does not
 *   depend on automatic vectorization. GCC and clang split the variable into halves or quarters if
 *   the processor's vectors are narrower.
 * - No branch depends on the pixel: a comparison gives eight flags, with all bits set where it
 *   holds, and `if (x <= xinters) inside = !inside` becomes `inside ^= x <= xinters`. Branches that
 *   depend only on the row and the edge may stay.
 * - The compiler may use the wide registers. Not every processor has them, so the function is
 *   compiled three times, and the widest version that the processor can run is chosen when the
 *   program starts.
 *
 * The arithmetic is that of the rule, bit for bit. As x occurs only in comparisons, one division
 * serves eight pixels. Compile with -ffp-contract=off, like all code that includes the rule. */
#ifndef POLYMASK_RULE_SIMD_H
#define POLYMASK_RULE_SIMD_H

#include <stdint.h>
#include <string.h>

#include "inside_polygon.h"

#ifdef POLYMASK_GNU

/* The choice at the start needs support from the loader; without it, one version is compiled. */
#if defined(__x86_64__) && defined(__GLIBC__) && (!defined(__clang__) || __clang_major__ >= 14)
#define POLYMASK_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define POLYMASK_CLONES
#endif

typedef double polymask_doubles __attribute__((vector_size(8 * sizeof(double))));
typedef int64_t polymask_flags __attribute__((vector_size(8 * sizeof(int64_t))));
typedef uint8_t polymask_bytes __attribute__((vector_size(8)));

/* row[x] = inside_polygon(x, y, vertices, n, border_value) for x = 0 .. cols - 1 */
POLYMASK_CLONES static inline void inside_polygon_row(double y, ptrdiff_t cols,
                                                      const double *vertices, ptrdiff_t n,
                                                      int border_value, uint8_t *row)
{
    const polymask_doubles eight = {0, 1, 2, 3, 4, 5, 6, 7};
    for (ptrdiff_t column = 0; column < cols; column += 8) {
        const polymask_doubles x = (double)column + eight;
        polymask_flags inside = {0}, on_vertex = {0};
        double x1 = vertices[2 * n - 2], y1 = vertices[2 * n - 1];
        for (ptrdiff_t i = 0; i < n; i++) {
            const double x2 = vertices[2 * i], y2 = vertices[2 * i + 1];
            if (y == y1)
                on_vertex |= x == x1;
            if (y > (y1 < y2 ? y1 : y2) && y <= (y1 > y2 ? y1 : y2) && y1 != y2) {
                const double xinters = crossing_x(y, x1, y1, x2, y2);
                inside ^= (x <= (x1 > x2 ? x1 : x2)) & ((x <= xinters) | -(int64_t)(x1 == x2));
            }
            x1 = x2;
            y1 = y2;
        }
        const polymask_flags answer = (on_vertex & -(int64_t)border_value) | (~on_vertex & inside);
        const polymask_bytes bytes = __builtin_convertvector(answer & 1, polymask_bytes);
        memcpy(row + column, &bytes, (size_t)(cols - column < 8 ? cols - column : 8));
    }
}

#else

/* The rule, pixel by pixel, for compilers without GCC's vector extensions. */
static inline void inside_polygon_row(double y, ptrdiff_t cols, const double *vertices, ptrdiff_t n,
                                      int border_value, uint8_t *row)
{
    for (ptrdiff_t x = 0; x < cols; x++)
        row[x] = (uint8_t)inside_polygon((double)x, y, vertices, n, border_value);
}

#endif

#endif
