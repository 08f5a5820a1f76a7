/* Plain 64-bit words: a block is one word. */

#include "kernels/kernels.hpp"

#include "kernels/target/begin.hpp"

namespace polymask::inline POLYMASK_ABI::detail::plain
{

constexpr auto instruction_set = InstructionSet::plain;

#include "kernels/target/scalar.hpp"

/* Without vectors, tiles save nothing: a byte takes as long as a word, and the runs take more. */
struct Tiles {
    static constexpr bool exist = false;
};

using Block = std::uint64_t;
constexpr std::int64_t block_words = 1;

static inline Block load(const std::uint64_t *words) noexcept
{
    return *words;
}
static inline void clear(std::uint64_t *words) noexcept
{
    *words = 0;
}
static inline bool is_zero(Block block) noexcept
{
    return block == 0;
}

static inline std::uint64_t inside_bits_of_word(std::uint64_t toggles,
                                                std::uint64_t &inside) noexcept;

static inline Block inside_bits(Block toggles, std::uint64_t &inside) noexcept
{
    return inside_bits_of_word(toggles, inside);
}

/* Writes the lowest byte first, on any processor. */
static inline void put_bits(std::uint8_t *out, Block block) noexcept
{
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(out, &block, sizeof block);
    } else {
        for (int byte = 0; byte < 8; ++byte)
            out[byte] = static_cast<std::uint8_t>(block >> (8 * byte));
    }
}

/* The eight bytes for any eight bits. A lookup takes half the instructions of a multiplication that
 * spreads the bits, with its masks. */
struct BytesOfBits {
    std::uint64_t bytes[256] = {};
    constexpr BytesOfBits() noexcept
    {
        for (std::uint64_t bits = 0; bits < 256; ++bits)
            for (int i = 0; i < 8; ++i)
                bytes[bits] |= (bits >> i & 1) << (8 * i);
    }
};
alignas(64) static constexpr BytesOfBits of_bits;

template <Stores stores> static inline void put_word(std::uint8_t *out, std::uint64_t word) noexcept
{
    if constexpr (stores == Stores::prefetched)
        prefetch_to_write(out + prefetch_distance);
    for (int i = 0; i < 8; ++i, word >>= 8)
        put_bits(out + 8 * i, of_bits.bytes[word & 255]);
}

template <Stores stores> static inline void put(std::uint8_t *out, Block block) noexcept
{
    put_word<stores>(out, block);
}
template <Stores stores>
static inline void put_all(std::uint8_t *out, std::uint64_t inside) noexcept
{
    if constexpr (stores == Stores::prefetched)
        prefetch_to_write(out + prefetch_distance);
    std::memset(out, static_cast<int>(inside & 1), 64);
}
template <Stores> static inline void fence() noexcept {}

/* A table of 1 << i, because x86 processors without BMI2 take up to three steps to shift by i. */
struct SingleBits {
    std::uint64_t words[64] = {};
    constexpr SingleBits() noexcept
    {
        for (int i = 0; i < 64; ++i)
            words[i] = std::uint64_t{1} << i;
    }
};
alignas(64) static constexpr SingleBits single_bits;

static inline std::uint64_t single_bit(std::uint64_t place) noexcept
{
    return single_bits.words[place % 64];
}

#include "kernels/target/unmasked.hpp"

#include "kernels/generic/all.inl"

} // namespace polymask::inline POLYMASK_ABI::detail::plain

#include "kernels/target/end.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

const Kernels plain_kernels = plain::kernels;

} // namespace polymask::inline POLYMASK_ABI::detail
