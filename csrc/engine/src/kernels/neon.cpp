/* NEON, which every aarch64 processor has: a block is four words in two vectors. */

#include "kernels/kernels.hpp"

#ifdef POLYMASK_NEON

#include <arm_neon.h>

#include "kernels/target/begin.hpp"

namespace polymask::inline POLYMASK_ABI::detail::neon
{

constexpr auto instruction_set = InstructionSet::neon;

#include "kernels/target/scalar.hpp"

#include "kernels/target/neon_tiles.hpp"

#include "kernels/generic/tiles.inl"

struct Block {
    uint64x2_t low, high;
};
constexpr std::int64_t block_words = 4;

static inline Block load(const std::uint64_t *words) noexcept
{
    return {vld1q_u64(words), vld1q_u64(words + 2)};
}
static inline void clear(std::uint64_t *words) noexcept
{
    vst1q_u64(words, vdupq_n_u64(0));
    vst1q_u64(words + 2, vdupq_n_u64(0));
}
static inline bool is_zero(Block block) noexcept
{
    return vmaxvq_u32(vreinterpretq_u32_u64(vorrq_u64(block.low, block.high))) == 0;
}

/* Sets all bits in the words whose last bit is set. */
static inline uint64x2_t last_bits(uint64x2_t words) noexcept
{
    return vreinterpretq_u64_s64(vshrq_n_s64(vreinterpretq_s64_u64(words), 63));
}

/* Returns the exclusive or of all bits up to each bit, over both words. */
static inline uint64x2_t inside_bits_of_words(uint64x2_t b) noexcept
{
    b = veorq_u64(b, vshlq_n_u64(b, 1));
    b = veorq_u64(b, vshlq_n_u64(b, 2));
    b = veorq_u64(b, vshlq_n_u64(b, 4));
    b = veorq_u64(b, vshlq_n_u64(b, 8));
    b = veorq_u64(b, vshlq_n_u64(b, 16));
    b = veorq_u64(b, vshlq_n_u64(b, 32));
    return veorq_u64(b, vextq_u64(vdupq_n_u64(0), last_bits(b), 1));
}

static inline Block inside_bits(Block toggles, std::uint64_t &inside) noexcept
{
    uint64x2_t low = inside_bits_of_words(toggles.low), high = inside_bits_of_words(toggles.high);
    high = veorq_u64(high, vdupq_laneq_u64(last_bits(low), 1));
    /* The block's own parity is moved out of its vector before `inside` is applied: a block then
     * depends on the previous one by one integer operation, not by two moves between registers. */
    const uint64x2_t flip = vdupq_n_u64(inside);
    inside ^= vgetq_lane_u64(last_bits(high), 1);
    return {veorq_u64(low, flip), veorq_u64(high, flip)};
}

/* Returns 16 bytes from bits 16 * part .. 16 * part + 15: each result byte selects the byte with
 * its bit, tests the bit, and becomes 1 if it is set. */
template <int part> static inline uint8x16_t bytes_of(uint64x2_t words) noexcept
{
    const uint8x16_t byte_of_bit = vcombine_u8(vdup_n_u8(2 * part), vdup_n_u8(2 * part + 1));
    const uint8x16_t bit_of_byte = vreinterpretq_u8_u64(vdupq_n_u64(0x8040201008040201));
    const uint8x16_t bytes = vqtbl1q_u8(vreinterpretq_u8_u64(words), byte_of_bit);
    return vandq_u8(vtstq_u8(bytes, bit_of_byte), vdupq_n_u8(1));
}

/* Writes one of the two words. */
template <Stores stores, int word>
static inline void put_line(std::uint8_t *out, uint64x2_t words) noexcept
{
    if constexpr (stores == Stores::prefetched)
        prefetch_to_write(out + prefetch_distance);
    vst1q_u8(out, bytes_of<4 * word>(words));
    vst1q_u8(out + 16, bytes_of<4 * word + 1>(words));
    vst1q_u8(out + 32, bytes_of<4 * word + 2>(words));
    vst1q_u8(out + 48, bytes_of<4 * word + 3>(words));
}

template <Stores stores> static inline void put_word(std::uint8_t *out, std::uint64_t word) noexcept
{
    put_line<stores, 0>(out, vdupq_n_u64(word));
}

template <Stores stores> static inline void put(std::uint8_t *out, Block block) noexcept
{
    put_line<stores, 0>(out, block.low);
    put_line<stores, 1>(out + 64, block.low);
    put_line<stores, 0>(out + 128, block.high);
    put_line<stores, 1>(out + 192, block.high);
}
template <Stores stores>
static inline void put_all(std::uint8_t *out, std::uint64_t inside) noexcept
{
    const uint8x16_t bytes = vdupq_n_u8(inside & 1);
    for (int i = 0; i < 16; ++i) {
        if constexpr (stores == Stores::prefetched)
            if (i % 4 == 0)
                prefetch_to_write(out + 16 * i + prefetch_distance);
        vst1q_u8(out + 16 * i, bytes);
    }
}
static inline void put_bits(std::uint8_t *out, Block block) noexcept
{
    vst1q_u8(out, vreinterpretq_u8_u64(block.low));
    vst1q_u8(out + 16, vreinterpretq_u8_u64(block.high));
}
template <Stores> static inline void fence() noexcept {}

/* A variable shift is one instruction on this target, and takes its count modulo 64. Bits from
 * vectors would have to pass through memory, with as many instructions in total. */
static inline std::uint64_t single_bit(std::uint64_t place) noexcept
{
    return std::uint64_t{1} << (place % 64);
}

#include "kernels/target/unmasked.hpp"

#include "kernels/generic/all.inl"

} // namespace polymask::inline POLYMASK_ABI::detail::neon

#include "kernels/target/end.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

const Kernels neon_kernels = neon::kernels;

} // namespace polymask::inline POLYMASK_ABI::detail

#endif
