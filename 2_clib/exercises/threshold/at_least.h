#include <stddef.h>
#include <stdint.h>

/* Writes 1 for each of n consecutive pixels that is at least `level`, and 0 for the others. */
static inline void at_least(const double *pixels, ptrdiff_t n, double level, uint8_t *mask)
{
    for (ptrdiff_t i = 0; i < n; i++)
        mask[i] = pixels[i] >= level;
}
