/* Plain 64-bit words: a block is one word. */

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

/* The lowest byte first, on any processor. */
static inline void put_bits(std::uint8_t *out, Block block) noexcept
{
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(out, &block, sizeof block);
    } else {
        for (int byte = 0; byte < 8; ++byte)
            out[byte] = static_cast<std::uint8_t>(block >> (8 * byte));
    }
}

template <Stores> static inline void put_word(std::uint8_t *out, std::uint64_t word) noexcept
{
    for (int i = 0; i < 8; ++i, word >>= 8) {
        /* Seven bits multiplied by ones at 0, 7, 14 .. 42: each reaches the bottom of its byte
         * without meeting another. The eighth would meet the first, and goes by itself. */
        const std::uint64_t bits = word & 255;
        const std::uint64_t bytes =
            ((bits & 127) * 0x0000040810204081 & 0x0001010101010101) | bits >> 7 << 56;
        put_bits(out + 8 * i, bytes);
    }
}

template <Stores stores> static inline void put(std::uint8_t *out, Block block) noexcept
{
    put_word<stores>(out, block);
}
template <Stores> static inline void put_all(std::uint8_t *out, std::uint64_t inside) noexcept
{
    std::memset(out, static_cast<int>(inside & 1), 64);
}
template <Stores> static inline void fence() noexcept {}

/* Toggles rows until one is not decided; returns how many. */
static inline std::int64_t toggle_decided(std::uint64_t *bits, std::uint64_t x, std::uint64_t step,
                                          std::uint64_t mask, std::int64_t rows) noexcept
{
    std::int64_t row = 0;
    for (; row < rows && (x & mask) != 0; ++row, x += step)
        bits[x >> (fraction_bits + 6)] ^= std::uint64_t{1} << (x >> fraction_bits & 63);
    return row;
}
