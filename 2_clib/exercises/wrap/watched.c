/* The file that a check builds instead of points_inside_polygon.c: the same function, which also
 * counts its calls, and those whose caller holds the GIL. */
#include "points_inside_polygon.h"

#define points_inside_polygon unwatched
/* includes its text: NOLINTNEXTLINE(bugprone-suspicious-include) */
#include "points_inside_polygon.c"
#undef points_inside_polygon

#if defined(__GNUC__)
__attribute__((weak))
#endif
int PyGILState_Check(void);

ptrdiff_t polymask_calls, polymask_held, polymask_n, polymask_n_points;

void points_inside_polygon(const double *points, ptrdiff_t n_points, const double *vertices,
                           ptrdiff_t n, int border_value, uint8_t *inside)
{
    __atomic_fetch_add(&polymask_calls, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&polymask_held, PyGILState_Check() != 0, __ATOMIC_RELAXED);
    __atomic_store_n(&polymask_n, n, __ATOMIC_RELAXED);
    __atomic_store_n(&polymask_n_points, n_points, __ATOMIC_RELAXED);
    unwatched(points, n_points, vertices, n, border_value, inside);
}
