/* Toggles rows until one is not decided; returns how many. */
static inline std::int64_t toggle_decided(std::uint64_t *bits, std::uint64_t x, std::uint64_t step,
                                          std::uint64_t mask, std::int64_t rows) noexcept
{
    for (std::int64_t row = 0; row < rows; ++row, x += step) {
        if ((x & mask) == 0)
            return row;
        bits[x >> (fraction_bits + 6)] ^= std::uint64_t{1} << (x >> fraction_bits & 63);
    }
    return rows;
}
