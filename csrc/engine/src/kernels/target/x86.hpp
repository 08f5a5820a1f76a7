/* Code shared by AVX2 and AVX-512: eight counts in a vector, and eight rows of an edge in two. */

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

template <bool negative> static inline void add_four(std::uint32_t *sums, __m128i four) noexcept
{
    auto *at = reinterpret_cast<__m128i *>(sums);
    const __m128i sum = _mm_loadu_si128(at);
    _mm_storeu_si128(at, negative ? _mm_sub_epi32(sum, four) : _mm_add_epi32(sum, four));
}

/* Adds to three neighbours of each index at once, by vectors of four whose last element is zero. */
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

/* Steps along an edge, eight rows at once in two AVX2 vectors.
 *
 * Words are addressed from integer registers, while the bits come from a vector. On an AMD Zen 4
 * (November 2026, a band in the first cache), toggling the words alone takes 0.37 ns per row; with
 * only integer registers, it takes 0.56, limited by three shifts per row; this code takes 0.42 with
 * four rows at once and 0.38 with eight; addresses from vectors, through memory, take 0.48 to 0.58.
 *
 * AVX-512 uses the same vectors: on an Intel Sapphire Rapids (November 2026), storing 64 bytes of
 * bits and reading them one by one took 1.35 times as long. */

constexpr int rows_at_once = 8;

class Steps
{
  public:
    Steps(std::uint64_t x, std::uint64_t step, std::uint64_t mask) noexcept
        : low_(_mm256_add_epi64(repeat(x), _mm256_setr_epi64x(0, static_cast<long long>(step),
                                                              static_cast<long long>(2 * step),
                                                              static_cast<long long>(3 * step)))),
          high_(_mm256_add_epi64(low_, repeat(4 * step))), step_(repeat(8 * step)),
          mask_(repeat(mask))
    {
    }
    /* Returns whether no row is near an integer. */
    bool decided() const noexcept
    {
        const __m256i near = _mm256_or_si256(is_near(low_), is_near(high_));
        return _mm256_testz_si256(near, near) != 0;
    }
    /* Stores the toggled bit of each row, within its word. */
    void store(std::uint64_t *bits) const noexcept
    {
        _mm256_store_si256(reinterpret_cast<__m256i *>(bits), bits_of(low_));
        _mm256_store_si256(reinterpret_cast<__m256i *>(bits + 4), bits_of(high_));
    }
    /* Moves to the next rows. */
    void advance() noexcept
    {
        low_ = _mm256_add_epi64(low_, step_);
        high_ = _mm256_add_epi64(high_, step_);
    }

  private:
    static __m256i repeat(std::uint64_t v) noexcept
    {
        return _mm256_set1_epi64x(static_cast<long long>(v));
    }
    __m256i is_near(__m256i x) const noexcept
    {
        return _mm256_cmpeq_epi64(_mm256_and_si256(x, mask_), _mm256_setzero_si256());
    }
    static __m256i bits_of(__m256i x) noexcept
    {
        const __m256i place = _mm256_and_si256(_mm256_srli_epi64(x, fraction_bits), repeat(63));
        return _mm256_sllv_epi64(repeat(1), place);
    }
    __m256i low_, high_, step_, mask_;
};

/* Toggles rows until one is not decided; returns their number. */
static inline std::int64_t toggle_decided(std::uint64_t *bits, std::uint64_t x, std::uint64_t step,
                                          std::uint64_t mask, std::int64_t rows) noexcept
{
    constexpr int word_shift = fraction_bits + 6;
    std::int64_t row = 0;
    for (Steps steps(x, step, mask); row + rows_at_once <= rows && steps.decided();
         row += rows_at_once, steps.advance()) {
        alignas(64) std::uint64_t row_bits[rows_at_once];
        steps.store(row_bits);
        through_memory(row_bits);
        for (const std::uint64_t bit : row_bits) {
            bits[x >> word_shift] ^= bit;
            x += step;
        }
    }
    for (; row < rows && (x & mask) != 0; ++row, x += step)
        bits[x >> word_shift] ^= std::uint64_t{1} << (x >> fraction_bits & 63);
    return row;
}
