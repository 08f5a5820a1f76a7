/* AVX2: eight numbers in two vectors, and what they share with eight counts. */

struct Numbers {
    __m256d low, high;
};

static inline Numbers repeat(double v) noexcept
{
    return {_mm256_set1_pd(v), _mm256_set1_pd(v)};
}
static inline Numbers zero_to_seven() noexcept
{
    return {_mm256_setr_pd(0, 1, 2, 3), _mm256_setr_pd(4, 5, 6, 7)};
}
static inline void store(double *to, Numbers v) noexcept
{
    _mm256_storeu_pd(to, v.low);
    _mm256_storeu_pd(to + 4, v.high);
}

static inline Numbers plus(Numbers a, Numbers b) noexcept
{
    return {_mm256_add_pd(a.low, b.low), _mm256_add_pd(a.high, b.high)};
}
static inline Numbers minus(Numbers a, Numbers b) noexcept
{
    return {_mm256_sub_pd(a.low, b.low), _mm256_sub_pd(a.high, b.high)};
}
static inline Numbers times(Numbers a, Numbers b) noexcept
{
    return {_mm256_mul_pd(a.low, b.low), _mm256_mul_pd(a.high, b.high)};
}
static inline Numbers over(Numbers a, Numbers b) noexcept
{
    return {_mm256_div_pd(a.low, b.low), _mm256_div_pd(a.high, b.high)};
}
static inline Numbers one_where_less(Numbers a, Numbers b) noexcept
{
    const __m256d one = _mm256_set1_pd(1);
    return {_mm256_and_pd(_mm256_cmp_pd(a.low, b.low, _CMP_LT_OQ), one),
            _mm256_and_pd(_mm256_cmp_pd(a.high, b.high, _CMP_LT_OQ), one)};
}
static inline Numbers greater_of(Numbers a, Numbers b) noexcept
{
    return {_mm256_max_pd(a.low, b.low), _mm256_max_pd(a.high, b.high)};
}
static inline Numbers lesser_of(Numbers a, Numbers b) noexcept
{
    return {_mm256_min_pd(a.low, b.low), _mm256_min_pd(a.high, b.high)};
}

/* The lower halves of eight words. */
static inline Counts lower_halves(__m256i low, __m256i high) noexcept
{
    const __m256 halves =
        _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88);
    return _mm256_permute4x64_epi64(_mm256_castps_si256(halves), 0xd8);
}
static inline Counts low_words(Numbers v) noexcept
{
    return lower_halves(_mm256_castpd_si256(v.low), _mm256_castpd_si256(v.high));
}
static inline Counts middle_words(Numbers v) noexcept
{
    return lower_halves(_mm256_srli_epi64(_mm256_castpd_si256(v.low), 31),
                        _mm256_srli_epi64(_mm256_castpd_si256(v.high), 31));
}
static inline Numbers numbers_of(Counts v) noexcept
{
    return {_mm256_cvtepi32_pd(_mm256_castsi256_si128(v)),
            _mm256_cvtepi32_pd(_mm256_extracti128_si256(v, 1))};
}
/* Added to 2^52, they are the last digits. */
static inline Counts rounded(Numbers v) noexcept
{
    return low_words(plus(v, repeat(0x1p52)));
}

static inline Counts first_of(Counts v, std::int64_t count) noexcept
{
    const __m256i counts = _mm256_set1_epi32(static_cast<int>(count));
    return _mm256_and_si256(v, _mm256_cmpgt_epi32(counts, places()));
}
static inline Counts with_first(Counts v, std::uint32_t first) noexcept
{
    return _mm256_blend_epi32(v, repeat(first), 1);
}
static inline Counts with_at(Counts v, Counts at, std::uint32_t other) noexcept
{
    return _mm256_blendv_epi8(v, repeat(other), _mm256_cmpeq_epi32(places(), at));
}
static inline Counts from_second(Counts v, Counts next) noexcept
{
    return _mm256_permutevar8x32_epi32(_mm256_blend_epi32(v, next, 1),
                                       _mm256_setr_epi32(1, 2, 3, 4, 5, 6, 7, 0));
}
static inline Counts from_last(Counts before, Counts v) noexcept
{
    return _mm256_permutevar8x32_epi32(_mm256_blend_epi32(v, before, 0x80),
                                       _mm256_setr_epi32(7, 0, 1, 2, 3, 4, 5, 6));
}
