/* Writing parts of a line and the numbers of set bits, for targets without masked stores. */

static inline void put_part(std::uint8_t *line, std::uint64_t word, std::int64_t first,
                            std::int64_t count) noexcept
{
    alignas(64) std::uint8_t bytes[64];
    put_word<Stores::cached>(bytes, word);
    std::memcpy(line + first, bytes + first, static_cast<std::size_t>(count));
}

/* Writes four at a time, possibly more than exist, so that few branches depend on the number. */
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
