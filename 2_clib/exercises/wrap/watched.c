/* What a check builds in the place of points_inside_polygon.c: the same function, which counts its
 * calls and points, and looks whether its caller holds the GIL, and is in the same module. */
#define _GNU_SOURCE /* for dladdr */
#include "points_inside_polygon.h"

#define points_inside_polygon unwatched
/* its text is put here: NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "points_inside_polygon.c"
#undef points_inside_polygon

#include <dlfcn.h>

#if defined(__GNUC__)
__attribute__((weak))
#endif
int PyGILState_Check(void);

ptrdiff_t polymask_calls, polymask_points, polymask_held, polymask_outside;

/* Whether an address is in another library than this function. The last one that is not is kept:
 * who calls for each row does so from one place. */
static int is_outside(const void *address)
{
    static const void *known;
    Dl_info own, other;
    if (address == __atomic_load_n(&known, __ATOMIC_RELAXED))
        return 0;
    if (!dladdr((const void *)&known, &own) || !dladdr(address, &other))
        return 1;
    if (own.dli_fbase != other.dli_fbase)
        return 1;
    __atomic_store_n(&known, address, __ATOMIC_RELAXED);
    return 0;
}

void points_inside_polygon(const double *points, ptrdiff_t n_points, const double *vertices,
                           ptrdiff_t n, int border_value, uint8_t *inside)
{
    __atomic_fetch_add(&polymask_calls, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&polymask_points, n_points, __ATOMIC_RELAXED);
    __atomic_fetch_add(&polymask_held, PyGILState_Check() != 0, __ATOMIC_RELAXED);
    __atomic_fetch_add(&polymask_outside, is_outside(__builtin_return_address(0)),
                       __ATOMIC_RELAXED);
    unwatched(points, n_points, vertices, n, border_value, inside);
}
