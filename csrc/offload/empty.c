/* A kernel that takes the arguments of the mask's kernel, and does nothing. */
#include "pymic_kernel.h"

PYMIC_KERNEL void empty(PYMIC_ARRAY const void *vertices, PYMIC_ARRAY const int64_t *n,
                        PYMIC_ARRAY const int64_t *border_value, PYMIC_ARRAY const int64_t *cols,
                        PYMIC_ARRAY const int64_t *first, PYMIC_ARRAY const int64_t *pixels,
                        PYMIC_ARRAY uint8_t *band)
{
    (void)vertices, (void)n, (void)border_value, (void)cols, (void)first, (void)pixels, (void)band;
}
