/* Code shared by AVX2 and AVX-512: the vectors of tiles (tiles.inl). */

using EightLanes = Counts;
using RowBytes = __m256i;
struct EightWords {
    __m256i low, high;
};

static inline EightLanes every_lane(std::uint32_t v) noexcept
{
    return repeat(v);
}
static inline EightLanes lane_rows() noexcept
{
    return _mm256_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19);
}
/* Numbers and `least` are below 2^31. */
static inline bool any_below(EightLanes v, std::uint32_t least) noexcept
{
    const __m256i below = _mm256_cmpgt_epi32(repeat(least), v);
    return _mm256_testz_si256(below, below) == 0;
}
static inline RowBytes top_bytes(EightLanes a, EightLanes b, EightLanes c, EightLanes d) noexcept
{
    return _mm256_packus_epi16(
        _mm256_packus_epi32(_mm256_srli_epi32(a, 24), _mm256_srli_epi32(b, 24)),
        _mm256_packus_epi32(_mm256_srli_epi32(c, 24), _mm256_srli_epi32(d, 24)));
}

static inline RowBytes every_byte(std::int64_t n) noexcept
{
    return _mm256_set1_epi8(static_cast<char>(n));
}
static inline RowBytes row_numbers() noexcept
{
    return _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                            20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
}
static inline RowBytes but_not(RowBytes a, RowBytes b) noexcept
{
    return _mm256_andnot_si256(b, a);
}
static inline RowBytes equal_bytes(RowBytes a, RowBytes b) noexcept
{
    return _mm256_cmpeq_epi8(a, b);
}
static inline RowBytes less_bytes(RowBytes a, RowBytes b) noexcept
{
    return _mm256_cmpgt_epi8(b, a);
}
static inline RowBytes single_bits(RowBytes v) noexcept
{
    constexpr auto bits = static_cast<long long>(0x8040201008040201);
    return _mm256_shuffle_epi8(_mm256_set1_epi64x(bits), both(v, every_byte(7)));
}
static inline RowBytes from_rows(RowBytes v, RowBytes rows) noexcept
{
    return _mm256_shuffle_epi8(v, rows);
}
static inline void store_bytes(void *to, RowBytes v) noexcept
{
    _mm256_store_si256(static_cast<__m256i *>(to), v);
}

static inline EightWords load_eight(const std::uint64_t *from) noexcept
{
    const auto *const fours = reinterpret_cast<const __m256i *>(from);
    return {_mm256_loadu_si256(fours), _mm256_loadu_si256(fours + 1)};
}
static inline bool are_zero(const EightWords &a, const EightWords &b) noexcept
{
    const __m256i any =
        _mm256_or_si256(_mm256_or_si256(a.low, a.high), _mm256_or_si256(b.low, b.high));
    return _mm256_testz_si256(any, any) != 0;
}
/* Pairs of bytes from two words, then words of 8 bytes from both halves. */
static inline EightWords transposed(const EightWords &v) noexcept
{
    const __m256i pairs = _mm256_broadcastsi128_si256(
        _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
    const __m256i halves = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    const __m256i a = _mm256_shuffle_epi8(_mm256_permute2x128_si256(v.low, v.high, 0x20), pairs),
                  b = _mm256_shuffle_epi8(_mm256_permute2x128_si256(v.low, v.high, 0x31), pairs);
    return {_mm256_permutevar8x32_epi32(_mm256_unpacklo_epi16(a, b), halves),
            _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi16(a, b), halves)};
}
static inline __m256i moved_up(__m256i v, __m256i before, __m256i bits) noexcept
{
    const __m256i down = _mm256_sub_epi64(_mm256_set1_epi64x(64), bits); /* 64 shifts to zero */
    return _mm256_or_si256(_mm256_sllv_epi64(v, bits), _mm256_srlv_epi64(before, down));
}
static inline EightWords moved_up(const EightWords &v, const EightWords &before,
                                  const EightWords &bits) noexcept
{
    return {moved_up(v.low, before.low, bits.low), moved_up(v.high, before.high, bits.high)};
}
static inline void store_each(std::uint64_t *to, std::int64_t stride, const EightWords &v) noexcept
{
    const auto store_two = [&](int i, __m128i words) {
        _mm_storel_epi64(reinterpret_cast<__m128i *>(to + i * stride), words);
        // cppcheck-suppress invalidPointerCast
        _mm_storeh_pd(reinterpret_cast<double *>(to + (i + 1) * stride), _mm_castsi128_pd(words));
    };
    store_two(0, _mm256_castsi256_si128(v.low));
    store_two(2, _mm256_extracti128_si256(v.low, 1));
    store_two(4, _mm256_castsi256_si128(v.high));
    store_two(6, _mm256_extracti128_si256(v.high, 1));
}
