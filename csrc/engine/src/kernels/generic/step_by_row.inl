/* Stepping along an edge in integer registers, row by row, where vectors as in step.inl save nothing.
 * Included once per target, inside its namespace.
 *
 * The target brings single_bit(place), the bit number `place` of a row of words within its word. */

/* Toggles rows until one is not decided; returns how many. */
static inline std::int64_t toggle_decided(std::uint64_t *bits, std::uint64_t x, std::uint64_t step,
                                          std::uint64_t mask, std::int64_t rows) noexcept
{
    std::int64_t row = 0;
    const auto toggle_row = [&] {
        if ((x & mask) == 0)
            return false;
        const std::uint64_t place = x >> fraction_bits;
        bits[place / 64] ^= single_bit(place);
        x += step;
        ++row;
        return true;
    };
    /* four rows for one look at how many are left */
    while (rows - row >= 4)
        if (!(toggle_row() && toggle_row() && toggle_row() && toggle_row()))
            return row;
    while (row < rows && toggle_row()) {
    }
    return row;
}
