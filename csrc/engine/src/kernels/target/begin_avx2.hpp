/* From here to end.hpp, functions are compiled for AVX2. Include every header before: what is
 * defined in between must not be shared with other targets. */
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2,bmi,bmi2"))), apply_to = function)
#else
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2")
#endif
