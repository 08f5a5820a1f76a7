/* AVX-512: a block is eight words. */

#include "kernels/kernels.hpp"

#ifdef POLYMASK_X86

#define POLYMASK_TARGET_AVX512
#include "kernels/target/begin.hpp"

namespace polymask::inline POLYMASK_ABI::detail::avx512
{

constexpr auto instruction_set = InstructionSet::avx512;

#include "kernels/target/x86.hpp"

#include "kernels/target/x86_tiles.hpp"

#include "kernels/generic/tiles.inl"

using Block = __m512i;
constexpr std::int64_t block_words = 8;

static inline Block load(const std::uint64_t *words) noexcept
{
    return _mm512_loadu_si512(words);
}
static inline void clear(std::uint64_t *words) noexcept
{
    _mm512_storeu_si512(words, _mm512_setzero_si512());
}
static inline bool is_zero(Block block) noexcept
{
    return _mm512_test_epi64_mask(block, block) == 0;
}

static inline Block inside_bits(Block toggles, std::uint64_t &inside) noexcept
{
    Block b = toggles;
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 1));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 2));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 4));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 8));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 16));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 32));
    /* The same from word to word: the last bit of a word tells whether it changes the parity. */
    std::uint32_t odd = _mm512_movepi64_mask(b);
    odd ^= odd << 1;
    odd ^= odd << 2;
    odd ^= odd << 4;
    const auto carried = static_cast<std::uint32_t>(odd << 1 ^ inside);
    inside = -(carried >> 8 & std::uint64_t{1});
    return _mm512_mask_xor_epi64(b, static_cast<__mmask8>(carried), b, _mm512_set1_epi64(-1));
}

template <Stores stores> static inline void put_line(std::uint8_t *out, __m512i bytes) noexcept
{
    if constexpr (stores == Stores::streaming) {
        _mm512_stream_si512(reinterpret_cast<__m512i *>(out), bytes);
    } else {
        if constexpr (stores == Stores::prefetched)
            prefetch_to_write(out + prefetch_distance);
        _mm512_storeu_si512(out, bytes);
    }
}

static inline __m512i bytes_of(std::uint64_t word) noexcept
{
    return _mm512_maskz_mov_epi8(word, _mm512_set1_epi8(1));
}

template <Stores stores> static inline void put_word(std::uint8_t *out, std::uint64_t word) noexcept
{
    put_line<stores>(out, bytes_of(word));
}

/* Takes half the time of memcpy from 64 bytes on the stack, as in unmasked.hpp. */
static inline void put_part(std::uint8_t *line, std::uint64_t word, std::int64_t first,
                            std::int64_t count) noexcept
{
    const std::uint64_t part = ~std::uint64_t{0} >> (64 - count) << first;
    _mm512_mask_storeu_epi8(line, part, bytes_of(word));
}

template <Stores stores> static inline void put(std::uint8_t *out, Block block) noexcept
{
    alignas(64) std::uint64_t words[8];
    _mm512_store_si512(words, block);
    through_memory(words);
    for (int i = 0; i < 8; ++i)
        put_line<stores>(out + 64 * i, bytes_of(words[i]));
}
template <Stores stores>
static inline void put_all(std::uint8_t *out, std::uint64_t inside) noexcept
{
    const __m512i bytes = bytes_of(inside);
    for (int i = 0; i < 8; ++i)
        put_line<stores>(out + 64 * i, bytes);
}
static inline void put_bits(std::uint8_t *out, Block block) noexcept
{
    _mm512_storeu_si512(out, block);
}
template <Stores stores> static inline void fence() noexcept
{
    if constexpr (stores == Stores::streaming)
        _mm_sfence();
}

/* Compresses the numbers of the set bits among sixteen, usually half of them or fewer: stores of 64
 * bytes, most of which cross a cache line, took as long as everything else (AMD Zen 4, a quarter of
 * the bits set: 5.7 ns per word, and 3.2 in this way). */
static inline void put_set_bits(std::uint64_t word, std::int32_t base, std::int32_t *out) noexcept
{
    __m512i numbers =
        _mm512_add_epi32(_mm512_set1_epi32(base),
                         _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    for (int part = 0; part < 4; ++part, word >>= 16) {
        const auto bits = static_cast<__mmask16>(word);
        const __m512i set = _mm512_maskz_compress_epi32(bits, numbers);
        const int count = _mm_popcnt_u32(bits);
        _mm256_storeu_si256(reinterpret_cast<__m256i *>(out), _mm512_castsi512_si256(set));
        if (count > 8) [[unlikely]]
            _mm512_storeu_si512(out, set);
        out += count;
        numbers = _mm512_add_epi32(numbers, _mm512_set1_epi32(16));
    }
}

using Label = __m512i;

static inline Label repeat_label(std::uint64_t bits) noexcept
{
    return _mm512_set1_epi64(static_cast<long long>(bits));
}

/* Up to 32 elements take as many stores as 32 do, because a branch on their number would often be
 * mispredicted. */
template <int size>
static inline void put_run(std::uint8_t *out, std::int64_t bytes, const Label &label) noexcept
{
    constexpr std::int64_t lines = size == 1 ? 1 : size / 2;
    if (bytes <= 64 * lines) [[likely]] {
        for (std::int64_t i = 0; i < 64 * lines; i += 64) {
            const auto left = std::clamp<std::int64_t>(bytes - i, 0, 64);
            const std::uint64_t part = _bzhi_u64(~std::uint64_t{0}, static_cast<unsigned>(left));
            _mm512_mask_storeu_epi8(out + i, part, label);
        }
        return;
    }
    for (std::int64_t i = 0; i < bytes - 64; i += 64)
        _mm512_storeu_si512(out + i, label);
    _mm512_storeu_si512(out + bytes - 64, label);
}

/* A row's sum so far, in all places. 16 columns depend on the previous ones by one addition. */
using RowSum = __m512i;

static inline RowSum row_sum(std::uint32_t sum) noexcept
{
    return _mm512_set1_epi32(static_cast<int>(sum));
}
static inline std::uint32_t sum_of(RowSum sum) noexcept
{
    return static_cast<std::uint32_t>(_mm512_cvtsi512_si32(sum));
}
static inline bool are_zero(const std::uint32_t *sums) noexcept
{
    const __m512i any = _mm512_or_si512(_mm512_loadu_si512(sums), _mm512_loadu_si512(sums + 16));
    return _mm512_test_epi32_mask(any, any) == 0;
}

/* Adds 16 sums to `sum`, writes the running sums as fractions, and sets the sums to zero. */
static inline void put_fractions(std::uint32_t *sums, RowSum &sum, float *out) noexcept
{
    const __m512i zero = _mm512_setzero_si512();
    __m512i v = _mm512_loadu_si512(sums);
    _mm512_storeu_si512(sums, zero);
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 15));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 14));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 12));
    v = _mm512_add_epi32(v, _mm512_alignr_epi32(v, zero, 8));
    const __m512i all = _mm512_permutexvar_epi32(_mm512_set1_epi32(15), v);
    v = _mm512_add_epi32(v, sum);
    sum = _mm512_add_epi32(sum, all);
    const __m512 positive = _mm512_abs_ps(_mm512_cvtepi32_ps(v));
    _mm512_storeu_ps(out, _mm512_mul_ps(positive, _mm512_set1_ps(0x1p-31f)));
}

/* AVX-512: eight numbers, and their conversions to and from eight counts. */

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

#include "kernels/generic/all.inl"

} // namespace polymask::inline POLYMASK_ABI::detail::avx512

#include "kernels/target/end.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

const Kernels avx512_kernels = avx512::kernels;

} // namespace polymask::inline POLYMASK_ABI::detail

#endif
