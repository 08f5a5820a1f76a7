/* How many multiplications and divisions one core does in a second at best: roofs over the rungs.
 *
 * Eight chains of operations run side by side. Each operation waits for the one before it in its
 * chain, but not for the other chains: eight of them keep all units of the processors of today
 * busy. All numbers are one, but no compiler may know. */
#ifndef POLYMASK_PRICES_H
#define POLYMASK_PRICES_H

#include <stddef.h>

#include "polymask/portable.h"

static volatile double polymask_one = 1.0;

/* The compiler may not look through this: so it neither drops the loop, nor joins scalars into
 * vectors. It adds no instruction. */
#if !defined(POLYMASK_GNU)
/* Without such a statement the numbers come from where any may be, and their sum goes where it may
 * be read: the loop stays, but a compiler may join scalars. */
static volatile double polymask_sum;
#define POLYMASK_KEEP(number) (void)0
#define POLYMASK_TAKE(number) polymask_sum = number
#elif defined(__x86_64__)
#define POLYMASK_KEEP(number) __asm__ volatile("" : "+x"(number))
#elif defined(__aarch64__)
#define POLYMASK_KEEP(number) __asm__ volatile("" : "+w"(number))
#else
#define POLYMASK_KEEP(number) __asm__ volatile("" : "+m"(number))
#endif
#ifdef POLYMASK_GNU
#define POLYMASK_TAKE(number) POLYMASK_KEEP(number)
#endif

#define POLYMASK_STEP(chain, operation)                                                            \
    chain = chain operation by;                                                                    \
    POLYMASK_KEEP(chain);

/* Eight operations on `type` a round, a double or a vector of doubles. */
#define POLYMASK_CHAINS(name, type, operation, attribute)                                          \
    attribute static void name(ptrdiff_t rounds)                                                   \
    {                                                                                              \
        const type zero = {0};                                                                     \
        const type by = polymask_one + zero;                                                       \
        type a = polymask_one + zero, b = polymask_one + zero, c = polymask_one + zero,            \
             d = polymask_one + zero, e = polymask_one + zero, f = polymask_one + zero,            \
             g = polymask_one + zero, h = polymask_one + zero;                                     \
        for (ptrdiff_t i = 0; i < rounds; i++) {                                                   \
            POLYMASK_STEP(a, operation)                                                            \
            POLYMASK_STEP(b, operation)                                                            \
            POLYMASK_STEP(c, operation)                                                            \
            POLYMASK_STEP(d, operation)                                                            \
            POLYMASK_STEP(e, operation)                                                            \
            POLYMASK_STEP(f, operation)                                                            \
            POLYMASK_STEP(g, operation)                                                            \
            POLYMASK_STEP(h, operation)                                                            \
        }                                                                                          \
        type sum = a + b + c + d + e + f + g + h;                                                  \
        POLYMASK_TAKE(sum);                                                                        \
    }

POLYMASK_CHAINS(multiply_1, double, *, )
POLYMASK_CHAINS(divide_1, double, /, )
#ifdef POLYMASK_GNU
typedef double polymask_2_doubles __attribute__((vector_size(2 * sizeof(double))));
POLYMASK_CHAINS(multiply_2, polymask_2_doubles, *, )
POLYMASK_CHAINS(divide_2, polymask_2_doubles, /, )
#endif

#if defined(__x86_64__) && defined(POLYMASK_GNU)
typedef double polymask_4_doubles __attribute__((vector_size(4 * sizeof(double))));
typedef double polymask_8_doubles __attribute__((vector_size(8 * sizeof(double))));
POLYMASK_CHAINS(multiply_4, polymask_4_doubles, *, __attribute__((target("avx2"))))
POLYMASK_CHAINS(divide_4, polymask_4_doubles, /, __attribute__((target("avx2"))))
POLYMASK_CHAINS(multiply_8, polymask_8_doubles, *, __attribute__((target("avx512f"))))
POLYMASK_CHAINS(divide_8, polymask_8_doubles, /, __attribute__((target("avx512f"))))
#endif

/* Doubles in a vector register, of the widest kind that the processor has; 1 where the compiler
 * cannot be told to use them. */
static inline int vector_lanes(void)
{
#if defined(__x86_64__) && defined(POLYMASK_GNU)
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f"))
        return 8;
    if (__builtin_cpu_supports("avx2"))
        return 4;
#endif
#ifdef POLYMASK_GNU
    return 2;
#else
    return 1;
#endif
}

/* Do at least that number of operations on doubles, `lanes` side by side: 1, or vector_lanes(). */
static inline void multiply(ptrdiff_t count, int lanes)
{
    const ptrdiff_t rounds = count / (8 * lanes) + 1;
#ifdef POLYMASK_GNU
#if defined(__x86_64__)
    if (lanes == 8)
        multiply_8(rounds);
    if (lanes == 4)
        multiply_4(rounds);
#endif
    if (lanes == 2)
        multiply_2(rounds);
#endif
    if (lanes == 1)
        multiply_1(rounds);
}

static inline void divide(ptrdiff_t count, int lanes)
{
    const ptrdiff_t rounds = count / (8 * lanes) + 1;
#ifdef POLYMASK_GNU
#if defined(__x86_64__)
    if (lanes == 8)
        divide_8(rounds);
    if (lanes == 4)
        divide_4(rounds);
#endif
    if (lanes == 2)
        divide_2(rounds);
#endif
    if (lanes == 1)
        divide_1(rounds);
}

/* Start a team of threads that have nothing to do, and wait for its end. */
static inline void start_team(int threads)
{
    (void)threads;
#ifdef _OPENMP
#pragma omp parallel num_threads(threads)
#endif
    (void)polymask_one; /* something to do, else the compiler starts no team */
}

#endif
