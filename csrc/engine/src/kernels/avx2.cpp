/* AVX2: a block is four words. */

#include "kernels/kernels.hpp"

#ifdef POLYMASK_X86

#define POLYMASK_TARGET_AVX2
#include "kernels/target/begin.hpp"

namespace polymask::inline POLYMASK_ABI::detail::avx2
{

constexpr auto instruction_set = InstructionSet::avx2;

#include "kernels/target/x86.hpp"

#include "kernels/target/x86_tiles.hpp"

#include "kernels/generic/tiles.inl"

using Block = __m256i;
constexpr std::int64_t block_words = 4;

static inline Block load(const std::uint64_t *words) noexcept
{
    return _mm256_loadu_si256(reinterpret_cast<const __m256i *>(words));
}
static inline void clear(std::uint64_t *words) noexcept
{
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(words), _mm256_setzero_si256());
}
static inline bool is_zero(Block block) noexcept
{
    return _mm256_testz_si256(block, block) != 0;
}

static inline Block inside_bits(Block toggles, std::uint64_t &inside) noexcept
{
    Block b = toggles;
    b = _mm256_xor_si256(b, _mm256_slli_epi64(b, 1));
    b = _mm256_xor_si256(b, _mm256_slli_epi64(b, 2));
    b = _mm256_xor_si256(b, _mm256_slli_epi64(b, 4));
    b = _mm256_xor_si256(b, _mm256_slli_epi64(b, 8));
    b = _mm256_xor_si256(b, _mm256_slli_epi64(b, 16));
    b = _mm256_xor_si256(b, _mm256_slli_epi64(b, 32));
    /* The same from word to word: the last bit of a word tells whether it changes the parity. */
    auto odd = static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(b)));
    odd ^= odd << 1;
    odd ^= odd << 2;
    const auto carried = static_cast<long long>(odd << 1 ^ inside);
    const __m256i bit_of_word = _mm256_setr_epi64x(1, 2, 4, 8);
    const __m256i flip =
        _mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x(carried), bit_of_word), bit_of_word);
    inside = -(static_cast<std::uint64_t>(carried) >> 4 & 1);
    return _mm256_xor_si256(b, flip);
}

template <Stores stores> static inline void put_half(std::uint8_t *out, __m256i bytes) noexcept
{
    if constexpr (stores == Stores::streaming)
        _mm256_stream_si256(reinterpret_cast<__m256i *>(out), bytes);
    else
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), bytes);
}

/* Returns 32 bytes from half of a word of bits; each quarter of `words` contains that word. Each
 * result byte selects the byte with its bit, tests the bit, and becomes 1 if it is set. */
template <int half> static inline __m256i bytes_of(__m256i words) noexcept
{
    constexpr long long from = 0x0404040404040404 * half, next = 0x0101010101010101;
    constexpr auto bit_of_byte = static_cast<long long>(0x8040201008040201);
    const __m256i byte_of_bit =
        _mm256_setr_epi64x(from, from + next, from + 2 * next, from + 3 * next);
    const __m256i set =
        _mm256_and_si256(_mm256_shuffle_epi8(words, byte_of_bit), _mm256_set1_epi64x(bit_of_byte));
    return _mm256_min_epu8(set, _mm256_set1_epi8(1));
}

template <Stores stores> static inline void put_line(std::uint8_t *out, __m256i words) noexcept
{
    if constexpr (stores == Stores::prefetched)
        prefetch_to_write(out + prefetch_distance);
    put_half<stores>(out, bytes_of<0>(words));
    put_half<stores>(out + 32, bytes_of<1>(words));
}

template <Stores stores> static inline void put_word(std::uint8_t *out, std::uint64_t word) noexcept
{
    put_line<stores>(out, _mm256_set1_epi64x(static_cast<long long>(word)));
}

template <Stores stores> static inline void put(std::uint8_t *out, Block block) noexcept
{
    put_line<stores>(out, _mm256_permute4x64_epi64(block, 0x00));
    put_line<stores>(out + 64, _mm256_permute4x64_epi64(block, 0x55));
    put_line<stores>(out + 128, _mm256_permute4x64_epi64(block, 0xaa));
    put_line<stores>(out + 192, _mm256_permute4x64_epi64(block, 0xff));
}
template <Stores stores>
static inline void put_all(std::uint8_t *out, std::uint64_t inside) noexcept
{
    const __m256i bytes = _mm256_set1_epi8(static_cast<char>(inside & 1));
    for (int i = 0; i < 8; ++i) {
        if constexpr (stores == Stores::prefetched)
            prefetch_to_write(out + 32 * i + prefetch_distance);
        put_half<stores>(out + 32 * i, bytes);
    }
}
static inline void put_bits(std::uint8_t *out, Block block) noexcept
{
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), block);
}
template <Stores stores> static inline void fence() noexcept
{
    if constexpr (stores == Stores::streaming)
        _mm_sfence();
}

/* Returns the running sums of eight numbers. */
static inline __m256i running_sums(__m256i v) noexcept
{
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 4));
    v = _mm256_add_epi32(v, _mm256_slli_si256(v, 8));
    const __m256i of_low = _mm256_permutevar8x32_epi32(v, _mm256_set1_epi32(3));
    return _mm256_add_epi32(v, _mm256_blend_epi32(_mm256_setzero_si256(), of_low, 0xf0));
}

/* A row's sum so far, in all places. 8 columns depend on the previous ones by one addition. */
using RowSum = __m256i;

static inline RowSum row_sum(std::uint32_t sum) noexcept
{
    return _mm256_set1_epi32(static_cast<int>(sum));
}
static inline std::uint32_t sum_of(RowSum sum) noexcept
{
    return static_cast<std::uint32_t>(_mm256_cvtsi256_si32(sum));
}
static inline bool are_zero(const std::uint32_t *sums) noexcept
{
    const auto *from = reinterpret_cast<const __m256i *>(sums);
    const __m256i any = _mm256_or_si256(
        _mm256_or_si256(_mm256_loadu_si256(from), _mm256_loadu_si256(from + 1)),
        _mm256_or_si256(_mm256_loadu_si256(from + 2), _mm256_loadu_si256(from + 3)));
    return _mm256_testz_si256(any, any) != 0;
}

/* Adds 16 sums to `sum`, writes the running sums as fractions, and sets the sums to zero. */
static inline void put_fractions(std::uint32_t *sums, RowSum &sum, float *out) noexcept
{
    for (int i = 0; i < 16; i += 8) {
        auto *from = reinterpret_cast<__m256i *>(sums + i);
        const __m256i eight = running_sums(_mm256_loadu_si256(from));
        _mm256_storeu_si256(from, _mm256_setzero_si256());
        const __m256 v = _mm256_cvtepi32_ps(_mm256_add_epi32(eight, sum));
        sum = _mm256_add_epi32(sum, _mm256_permutevar8x32_epi32(eight, _mm256_set1_epi32(7)));
        const __m256 positive = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), v);
        _mm256_storeu_ps(out + i, _mm256_mul_ps(positive, _mm256_set1_ps(0x1p-31f)));
    }
}

/* AVX2: eight numbers in two vectors, and their conversions to and from eight counts. */

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

/* Returns the lower halves of eight words. */
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
/* After the addition of 2^52, the result is in the last digits. */
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

using Label = __m256i;

static inline Label repeat_label(std::uint64_t bits) noexcept
{
    return _mm256_set1_epi64x(static_cast<long long>(bits));
}
static inline void put_label(std::uint8_t *out, Label label) noexcept
{
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), label);
}

#include "kernels/target/unmasked.hpp"

#include "kernels/generic/all.inl"

} // namespace polymask::inline POLYMASK_ABI::detail::avx2

#include "kernels/target/end.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

const Kernels avx2_kernels = avx2::kernels;

} // namespace polymask::inline POLYMASK_ABI::detail

#endif
