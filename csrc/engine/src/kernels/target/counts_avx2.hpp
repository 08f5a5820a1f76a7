/* Eight counts in a vector of AVX2, which AVX-512 uses, too. */

using Counts = __m256i;

static inline Counts repeat(std::uint32_t v) noexcept
{
    return _mm256_set1_epi32(static_cast<int>(v));
}
static inline Counts places() noexcept
{
    return _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
}

static inline Counts plus(Counts a, Counts b) noexcept
{
    return _mm256_add_epi32(a, b);
}
static inline Counts minus(Counts a, Counts b) noexcept
{
    return _mm256_sub_epi32(a, b);
}
static inline Counts times(Counts a, Counts b) noexcept
{
    return _mm256_mullo_epi32(a, b);
}
static inline Counts both(Counts a, Counts b) noexcept
{
    return _mm256_and_si256(a, b);
}
static inline Counts half_of(Counts v) noexcept
{
    return _mm256_srli_epi32(v, 1);
}
static inline Counts greater_of(Counts a, Counts b) noexcept
{
    return _mm256_max_epu32(a, b);
}
static inline Counts lesser_of(Counts a, Counts b) noexcept
{
    return _mm256_min_epu32(a, b);
}
static inline Counts signed_clamp(Counts v, std::int32_t low, std::int32_t high) noexcept
{
    return _mm256_min_epi32(_mm256_max_epi32(v, _mm256_set1_epi32(low)), _mm256_set1_epi32(high));
}

static inline Counts load_counts(const std::uint32_t *from) noexcept
{
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
}
static inline void store(std::uint32_t *to, Counts v) noexcept
{
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), v);
}

template <bool negative> static inline void add_four(std::uint32_t *sums, __m128i some) noexcept
{
    auto *at = reinterpret_cast<__m128i *>(sums);
    const __m128i sum = _mm_loadu_si128(at);
    _mm_storeu_si128(at, negative ? _mm_sub_epi32(sum, some) : _mm_add_epi32(sum, some));
}

/* Three neighbours of each place together, by vectors of four whose last is zero. */
template <bool negative>
static inline void add_threes(std::uint32_t *sums, Counts indices, Counts a, Counts b,
                              Counts c) noexcept
{
    alignas(32) std::int32_t index[8];
    _mm256_store_si256(reinterpret_cast<__m256i *>(index), indices);
    const __m256i none = _mm256_setzero_si256();
    const __m256i low_ab = _mm256_unpacklo_epi32(a, b), high_ab = _mm256_unpackhi_epi32(a, b);
    const __m256i low_c = _mm256_unpacklo_epi32(c, none), high_c = _mm256_unpackhi_epi32(c, none);
    const auto add = [&](int i, __m256i fours) {
        add_four<negative>(sums + index[i], _mm256_castsi256_si128(fours));
        add_four<negative>(sums + index[i + 4], _mm256_extracti128_si256(fours, 1));
    };
    add(0, _mm256_unpacklo_epi64(low_ab, low_c));
    add(1, _mm256_unpackhi_epi64(low_ab, low_c));
    add(2, _mm256_unpacklo_epi64(high_ab, high_c));
    add(3, _mm256_unpackhi_epi64(high_ab, high_c));
}
