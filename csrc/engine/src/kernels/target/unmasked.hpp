/* Writing parts of a line, runs of labels, and the numbers of set bits, for targets without masked
 * stores. */

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

/* Writes the first and the last `part` of some bytes, which may overlap. */
template <std::size_t part>
static inline void put_ends(std::uint8_t *out, std::int64_t bytes, const Label &label) noexcept
{
    std::memcpy(out, &label, part);
    std::memcpy(out + bytes - part, &label, part);
}

/* Stores overlap, and up to 32 elements take as many as 32 do, because a branch on their number
 * would often be mispredicted. */
template <int size>
static inline void put_run(std::uint8_t *out, std::int64_t bytes, const Label &label) noexcept
{
    constexpr std::int64_t block = sizeof(Label);
    constexpr std::int64_t blocks = std::clamp<std::int64_t>(32 * size / block, 2, 8);
    const std::int64_t last = bytes - block;
    if (last >= 0 && last <= block * (blocks - 1)) {
        for (std::int64_t i = 0; i < blocks; ++i)
            put_label(out + std::min(i * block, last), label);
    } else if (last > 0) {
        for (std::int64_t i = 0; i < last; i += block)
            put_label(out + i, label);
        put_label(out + last, label);
    } else if (block > 16 && bytes >= 16) {
        put_ends<16>(out, bytes, label);
    } else if (bytes >= 8) {
        put_ends<8>(out, bytes, label);
    } else if (size <= 4 && bytes >= 4) {
        put_ends<4>(out, bytes, label);
    } else if (size <= 2) {
        for (std::int64_t i = 0; i < bytes; i += size)
            std::memcpy(out + i, &label, size);
    }
}
