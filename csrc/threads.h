/* What OpenMP offers, with answers that hold without it too. */
#ifndef POLYMASK_THREADS_H
#define POLYMASK_THREADS_H

#ifdef _OPENMP
#include <omp.h>
#define POLYMASK_OPENMP _OPENMP /* year and month of the specification, say 201511 */

/* How many threads a parallel loop gets: OMP_NUM_THREADS, else the cores this process may use. */
static inline int max_threads(void)
{
    return omp_get_max_threads();
}

/* Say how many threads the loops get that this thread starts. */
static inline void set_max_threads(int threads)
{
    omp_set_num_threads(threads);
}

/* How loops with schedule(runtime) share their iterations, for loops started by this thread:
 * kind 1 static, 2 dynamic, 3 guided; chunk 0 leaves the size of a share to OpenMP. */
static inline void set_schedule(int kind, int chunk)
{
    omp_set_schedule((omp_sched_t)kind, chunk);
}

#else
#define POLYMASK_OPENMP 0
static inline int max_threads(void)
{
    return 1;
}
static inline void set_max_threads(int threads)
{
    (void)threads;
}
static inline void set_schedule(int kind, int chunk)
{
    (void)kind, (void)chunk;
}
#endif

#endif
