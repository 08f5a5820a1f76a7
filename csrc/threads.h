/* OpenMP's functions, with replacements for builds without OpenMP. */
#ifndef POLYMASK_THREADS_H
#define POLYMASK_THREADS_H

#if defined(_OPENMP) && !defined(_WIN32)
#include <pthread.h>
#include <stdlib.h>

static inline void *wait_at(void *gate)
{
    pthread_mutex_lock((pthread_mutex_t *)gate);
    pthread_mutex_unlock((pthread_mutex_t *)gate);
    return NULL;
}

/* Start threads that all exist at the same time, and end them; return how many could be started. */
static inline int startable_threads(int number)
{
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t *team = (pthread_t *)malloc(sizeof(pthread_t) * (size_t)number);
    int started = 0;
    if (team == NULL)
        return 0;
    pthread_mutex_lock(&gate);
    while (started < number && pthread_create(&team[started], NULL, wait_at, &gate) == 0)
        started++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < started; i++)
        pthread_join(team[i], NULL);
    free(team);
    return started;
}
#else
static inline int startable_threads(int number)
{
    return number;
}
#endif

#ifdef _OPENMP
#include <omp.h>
#define POLYMASK_OPENMP _OPENMP /* year and month of the specification, say 201511 */

/* Return the threads of a parallel loop: OMP_NUM_THREADS, else the cores this process may use. */
static inline int max_threads(void)
{
    return omp_get_max_threads();
}

/* Set the number of threads of the loops that this thread starts. */
static inline void set_max_threads(int threads)
{
    omp_set_num_threads(threads);
}

/* Set the schedule of the loops with schedule(runtime) that this thread starts: kind 1 static,
 * 2 dynamic, 3 guided; chunk 0 leaves the chunk size to OpenMP. */
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
