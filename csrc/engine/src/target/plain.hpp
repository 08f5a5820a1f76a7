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

static inline void put_word(std::uint8_t *out, std::uint64_t word) noexcept
{
    for (int i = 0; i < 8; ++i, word >>= 8) {
        /* Seven bits multiplied by ones at 0, 7, 14 .. 42: each reaches the bottom of its byte
         * without meeting another. The eighth would meet the first, and goes by itself. */
        const std::uint64_t bits = word & 255;
        const std::uint64_t bytes =
            ((bits & 127) * 0x0000040810204081 & 0x0001010101010101) | bits >> 7 << 56;
        for (int byte = 0; byte < 8; ++byte) /* compiles to one store */
            out[8 * i + byte] = static_cast<std::uint8_t>(bytes >> (8 * byte));
    }
}

template <Stores> static inline void put(std::uint8_t *out, Block block) noexcept
{
    put_word(out, block);
}
template <Stores> static inline void put_all(std::uint8_t *out, std::uint64_t inside) noexcept
{
    std::memset(out, static_cast<int>(inside & 1), 64);
}
static inline void put_bits(std::uint8_t *out, Block block) noexcept
{
    for (int byte = 0; byte < 8; ++byte)
        out[byte] = static_cast<std::uint8_t>(block >> (8 * byte));
}
template <Stores> static inline void fence() noexcept {}

constexpr int rows_at_once = 4;

class Steps
{
  public:
    Steps(std::uint64_t x, std::uint64_t step, std::uint64_t mask) noexcept
        : x_(x), step_(step), mask_(mask)
    {
    }
    bool decided() const noexcept
    {
        bool decided = true;
        for (std::uint64_t i = 0; i < rows_at_once; ++i)
            decided &= ((x_ + i * step_) & mask_) != 0;
        return decided;
    }
    void store(std::uint64_t *bits) const noexcept
    {
        for (std::uint64_t i = 0; i < rows_at_once; ++i)
            bits[i] = std::uint64_t{1} << ((x_ + i * step_) >> fraction_bits & 63);
    }
    void advance() noexcept { x_ += rows_at_once * step_; }

  private:
    std::uint64_t x_, step_, mask_;
};
