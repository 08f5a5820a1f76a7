/* A part of a line, for targets without stores that leave bytes out. Included once per target. */

static inline void put_part(std::uint8_t *line, std::uint64_t word, std::int64_t first,
                            std::int64_t count) noexcept
{
    alignas(64) std::uint8_t bytes[64];
    put_word<Stores::cached>(bytes, word);
    std::memcpy(line + first, bytes + first, static_cast<std::size_t>(count));
}
