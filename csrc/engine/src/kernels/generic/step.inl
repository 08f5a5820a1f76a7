/* Stepping along an edge. Included once per target, inside its namespace.
 *
 * The target brings Steps: rows_at_once rows of an edge, with
 *   decided()     none of them is near an integer;
 *   store(bits)   the toggled bit of each, within its word;
 *   advance()     to the next rows.
 *
 * Words are addressed from integer registers while bits come from a vector: measured on an AMD Zen
 * 4 (November 2026, a band in the first cache), toggling words takes 0.37 ns a row by itself; all
 * in integer registers 0.56, bound by three shifts a row; this way 0.42 with four rows at once and
 * 0.38 with eight; addresses from vectors as well, passed through memory, 0.48 to 0.58. */

/* Toggles rows until one is not decided; returns how many. */
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
