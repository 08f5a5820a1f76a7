/* AVX-512: eight numbers, and what they share with eight counts. */

using Numbers = __m512d;

static inline Numbers repeat(double v) noexcept
{
    return _mm512_set1_pd(v);
}
static inline Numbers zero_to_seven() noexcept
{
    return _mm512_setr_pd(0, 1, 2, 3, 4, 5, 6, 7);
}
static inline void store(double *to, Numbers v) noexcept
{
    _mm512_storeu_pd(to, v);
}

static inline Numbers plus(Numbers a, Numbers b) noexcept
{
    return _mm512_add_pd(a, b);
}
static inline Numbers minus(Numbers a, Numbers b) noexcept
{
    return _mm512_sub_pd(a, b);
}
static inline Numbers times(Numbers a, Numbers b) noexcept
{
    return _mm512_mul_pd(a, b);
}
static inline Numbers over(Numbers a, Numbers b) noexcept
{
    return _mm512_div_pd(a, b);
}
static inline Numbers one_where_less(Numbers a, Numbers b) noexcept
{
    return _mm512_maskz_mov_pd(_mm512_cmp_pd_mask(a, b, _CMP_LT_OQ), _mm512_set1_pd(1));
}
static inline Numbers greater_of(Numbers a, Numbers b) noexcept
{
    return _mm512_max_pd(a, b);
}
static inline Numbers lesser_of(Numbers a, Numbers b) noexcept
{
    return _mm512_min_pd(a, b);
}

static inline Numbers numbers_of(Counts v) noexcept
{
    return _mm512_cvtepi32_pd(v);
}
static inline Counts rounded(Numbers v) noexcept
{
    return _mm512_cvtpd_epu32(v);
}
static inline Counts low_words(Numbers v) noexcept
{
    return _mm512_cvtepi64_epi32(_mm512_castpd_si512(v));
}
static inline Counts middle_words(Numbers v) noexcept
{
    return _mm512_cvtepi64_epi32(_mm512_srli_epi64(_mm512_castpd_si512(v), 31));
}

static inline Counts first_of(Counts v, std::int64_t count) noexcept
{
    return _mm256_maskz_mov_epi32(static_cast<__mmask8>((1u << count) - 1), v);
}
static inline Counts with_first(Counts v, std::uint32_t first) noexcept
{
    return _mm256_mask_set1_epi32(v, 1, static_cast<int>(first));
}
static inline Counts with_at(Counts v, Counts at, std::uint32_t other) noexcept
{
    return _mm256_mask_set1_epi32(v, _mm256_cmpeq_epi32_mask(places(), at),
                                  static_cast<int>(other));
}
static inline Counts from_second(Counts v, Counts next) noexcept
{
    return _mm256_alignr_epi32(next, v, 1);
}
static inline Counts from_last(Counts before, Counts v) noexcept
{
    return _mm256_alignr_epi32(v, before, 7);
}
