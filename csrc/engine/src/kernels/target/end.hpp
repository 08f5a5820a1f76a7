#if defined(POLYMASK_TARGET_AVX2) || defined(POLYMASK_TARGET_AVX512)
#if defined(__clang__)
#pragma clang attribute pop
#else
#pragma GCC pop_options
#endif
#endif
