/* From toggled bits to the columns where they are. Included once per target, inside its namespace.
 *
 * The target brings put_set_bits(word, base, out), which writes the numbers of a word's set bits,
 * each plus `base`, and may write up to 64 numbers. */

static std::size_t take_bits(std::uint64_t *words, std::int64_t count, std::int32_t base,
                             std::int32_t *out) noexcept
{
    std::int32_t *next = out;
    for (std::int64_t i = 0; i < count; ++i, base += 64) {
        const std::uint64_t word = words[i];
        if (word == 0)
            continue;
        words[i] = 0;
        put_set_bits(word, base, next);
        next += std::popcount(word);
    }
    return static_cast<std::size_t>(next - out);
}
