/* From here to end.hpp, functions are compiled for the target that is defined:
 * POLYMASK_TARGET_AVX2, POLYMASK_TARGET_AVX512, or otherwise the compiler's default target. All
 * headers are included before, because definitions in between must not be shared by targets. */

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/formula.hpp"
#include "kernels/kernels.hpp"

#if defined(POLYMASK_TARGET_AVX512)
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2"))),                   \
    apply_to = function)
#else
/* GCC 12's own headers leave operands undefined on purpose, which causes warnings. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2")
#endif
#elif defined(POLYMASK_TARGET_AVX2)
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif
#endif
