/* The set bits of a word, by scalar instructions. Included inside a target's namespace.
 *
 * Four at a time, and more than there are: so their number decides about few branches. */
static inline void put_set_bits(std::uint64_t word, std::int32_t base, std::int32_t *out) noexcept
{
    do {
        for (int i = 0; i < 4; ++i) {
            out[i] = base + std::countr_zero(word);
            word &= word - 1;
        }
        out += 4;
    } while (word != 0);
}
