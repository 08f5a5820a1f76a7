/* From here to end.hpp, functions are compiled for AVX-512. Include every header before: what is
 * defined in between must not be shared with other targets. */
#if defined(__clang__)
#pragma clang attribute push(                                                                      \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2"))),                   \
    apply_to = function)
#else
/* GCC 12's own headers leave operands undefined on purpose, and warn of it. */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2")
#endif
