/* The file that a check builds instead of crossings.h: a thread that has collected the crossings of
 * a row waits for another one before it uses them, so that a race always shows. */
#define collect unwatched
#include "crossings.h"
#undef collect
#include <sched.h>
#include <time.h>

ptrdiff_t polymask_meet; /* whether to wait; set to 0 when no other thread comes */
ptrdiff_t polymask_met;  /* the number of calls that met another thread's call */
static ptrdiff_t arrived;

static inline ptrdiff_t collect(double y, const double *vertices, ptrdiff_t n, double *xs)
{
    const ptrdiff_t count = unwatched(y, vertices, n, xs);
    const ptrdiff_t ticket = __atomic_add_fetch(&arrived, 1, __ATOMIC_SEQ_CST);
    const ptrdiff_t pair = ticket + ticket % 2; /* the first of two waits for the second */
    const time_t until = time(NULL) + 2;
    while (polymask_meet && __atomic_load_n(&arrived, __ATOMIC_SEQ_CST) < pair) {
        if (time(NULL) > until)
            polymask_meet = 0;
        sched_yield();
    }
    __atomic_add_fetch(&polymask_met, polymask_meet, __ATOMIC_SEQ_CST);
    return count;
}
