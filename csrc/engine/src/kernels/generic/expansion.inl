/* From toggled bits to the mask, or to the columns of the set bits.
 *
 * The target defines Block, a vector of block_words words, and for it
 *   load, clear, is_zero;
 *   inside_bits(block, inside)   exclusive or of all bits up to each, with the carry `inside` (0 or
 *                                ~0);
 *   put<stores>(out, block)      one byte per bit, out aligned to 64;
 *   put_all<stores>(out, inside) the same for a block of equal bits;
 *   put_word<stores>(out, word)  the same for one word; with cached stores, out at any alignment;
 *   put_part(line, word, first, count)  bytes first .. first + count - 1 of a word, count >= 1;
 *                                line aligned to 64;
 *   put_set_bits(word, base, out)  writes the numbers of a word's set bits, each plus `base`; may
 *                                write up to 64 numbers. */

/* These six steps are as fast as a carry-less multiplication, and run on every processor. */
static inline std::uint64_t inside_bits_of_word(std::uint64_t toggles,
                                                std::uint64_t &inside) noexcept
{
    toggles ^= toggles << 1;
    toggles ^= toggles << 2;
    toggles ^= toggles << 4;
    toggles ^= toggles << 8;
    toggles ^= toggles << 16;
    toggles ^= toggles << 32;
    toggles ^= inside;
    inside = -(toggles >> 63);
    return toggles;
}

/* Omits zeros if the mask is already zero. */
template <bool out_is_zero>
static inline void put_some(std::uint8_t *line, std::uint64_t word, std::int64_t first,
                            std::int64_t count) noexcept
{
    if (!out_is_zero || word != 0)
        put_part(line, word, first, count);
}

template <Stores stores, bool out_is_zero>
static inline void put_whole(std::uint8_t *out, std::uint64_t word) noexcept
{
    if (!out_is_zero || word != 0)
        put_word<stores>(out, word);
}

/* Writes `count` samples from bit `first` of words[0] on; `out` is the address of the first byte,
 * which equals `first` modulo 64. Clears the bits that it reads, and the next bit. Toggles after
 * the last sample do not matter.
 *
 * A cache line of the output that two runs share is stored only once, completely: with streaming
 * stores, two stores to its parts would both wait for memory. `before` is the line of the previous
 * run, `behind` receives the last line of this run; null if there is no adjacent run. */
template <Stores stores, bool out_is_zero>
static void write_run(std::uint64_t *words, std::int64_t first, std::int64_t count,
                      std::uint8_t *out, const std::uint64_t *before,
                      std::uint64_t *behind) noexcept
{
    std::uint64_t inside = 0;
    if (first != 0 || count < 64) {
        const std::int64_t head = std::min(64 - first, count);
        const std::uint64_t word = inside_bits_of_word(*words, inside);
        if (before != nullptr)
            put_whole<stores, out_is_zero>(out - first, word | *before);
        else
            put_some<out_is_zero>(out - first, word, first, head);
        *words++ = 0;
        out += head;
        count -= head;
        if (first + head < 64)
            return;
    }
    for (; count >= 64 * block_words; count -= 64 * block_words) {
        const Block toggles = load(words);
        if (!is_zero(toggles)) {
            put<stores>(out, inside_bits(toggles, inside));
            clear(words);
        } else if (!out_is_zero || inside != 0) {
            put_all<stores>(out, inside);
        }
        words += block_words;
        out += 64 * block_words;
    }
    for (; count >= 64; count -= 64) {
        put_whole<stores, out_is_zero>(out, inside_bits_of_word(*words, inside));
        *words++ = 0;
        out += 64;
    }
    if (count > 0) {
        const std::uint64_t last = ~(~std::uint64_t{0} << count);
        const std::uint64_t word = inside_bits_of_word(*words, inside) & last;
        if (behind != nullptr)
            *behind = word;
        else
            put_some<out_is_zero>(out, word, 0, count);
    }
    *words = 0;
}

/* Returns a row as a run of bits. Rows are taken in order: the first of a tile makes all its runs.
 */
template <class Target>
static inline std::uint64_t *run_of(std::uint64_t *bits, const Layout &layout, const Band &band,
                                    std::int64_t row) noexcept
{
    if constexpr (Target::exist) {
        if (layout.tiled) {
            const std::int64_t words = layout.stride / 64, in_tile = row % Layout::tile_rows;
            std::uint64_t *const runs = bits + layout.band_words();
            if (in_tile == 0) {
                std::uint64_t shifts[Layout::tile_rows];
                for (std::int64_t i = 0; i < Layout::tile_rows; ++i)
                    shifts[i] = static_cast<std::uint64_t>(band.first_bit_of(row + i));
                Target::to_runs(bits + row * words, words, shifts, runs);
            }
            return runs + in_tile * words;
        }
    }
    return bits + (band.first_bit + row * layout.stride) / 64;
}

static std::uint64_t *take_run(std::uint64_t *bits, const Layout &layout, const Band &band,
                               std::int64_t row) noexcept
{
    return run_of<Tiles>(bits, layout, band, row);
}

template <Stores stores, bool out_is_zero>
static void write_rows(std::uint64_t *bits, const Layout &layout, const Band &band) noexcept
{
    const std::int64_t runs = layout.dense ? 1 : band.rows;
    const std::int64_t samples = layout.dense ? band.rows * layout.cols : layout.cols;
    const bool adjacent = layout.pitch == layout.cols && layout.cols >= 64;
    std::uint64_t shared = 0;
    for (std::int64_t run = 0; run < runs; ++run) {
        write_run<stores, out_is_zero>(take_run(bits, layout, band, run), band.first_bit_of(run),
                                       samples, band.out + run * layout.pitch,
                                       adjacent && run > 0 ? &shared : nullptr,
                                       adjacent && run + 1 < runs ? &shared : nullptr);
    }
    fence<stores>();
}

template <Stores stores>
static void write_rows(std::uint64_t *bits, const Layout &layout, const Band &band,
                       bool out_is_zero) noexcept
{
    if (out_is_zero)
        write_rows<stores, true>(bits, layout, band);
    else
        write_rows<stores, false>(bits, layout, band);
}

static void write_bytes(std::uint64_t *bits, const Layout &layout, const Band &band, Stores stores,
                        bool out_is_zero) noexcept
{
    if (stores == Stores::streaming)
        write_rows<Stores::streaming>(bits, layout, band, out_is_zero);
    else if (stores == Stores::prefetched)
        write_rows<Stores::prefetched>(bits, layout, band, out_is_zero);
    else
        write_rows<Stores::cached>(bits, layout, band, out_is_zero);
}

template <Stores stores> static void zero_lines(std::uint8_t *out, std::int64_t bytes) noexcept
{
    const auto before =
        std::min(bytes, static_cast<std::int64_t>(-reinterpret_cast<std::uintptr_t>(out) % 64));
    std::memset(out, 0, static_cast<std::size_t>(before));
    out += before;
    for (bytes -= before; bytes >= 64 * block_words; bytes -= 64 * block_words) {
        put_all<stores>(out, 0);
        out += 64 * block_words;
    }
    std::memset(out, 0, static_cast<std::size_t>(bytes));
    fence<stores>();
}

static void zero(std::uint8_t *out, std::int64_t bytes, Stores stores) noexcept
{
    if (stores == Stores::streaming)
        zero_lines<Stores::streaming>(out, bytes);
    else if (stores == Stores::prefetched)
        zero_lines<Stores::prefetched>(out, bytes);
    else
        std::memset(out, 0, static_cast<std::size_t>(bytes));
}

/* Rows are already words of bits. In a dense layout the padding of a row is 0, as the number of
 * toggles before it is even; in other layouts, toggles beyond the last column may be missing. */
static void write_packed(std::uint64_t *bits, const Layout &layout, const Band &band,
                         bool out_is_zero) noexcept
{
    const std::int64_t runs = layout.dense ? 1 : band.rows;
    const std::int64_t bytes = layout.dense ? band.rows * layout.pitch : (layout.cols + 7) / 8;
    for (std::int64_t run = 0; run < runs; ++run) {
        std::uint64_t *words = take_run(bits, layout, band, run);
        std::uint8_t *out = band.out + run * layout.pitch;
        std::uint64_t inside = 0;
        std::int64_t left = bytes;
        for (; left >= 8 * block_words; left -= 8 * block_words) {
            const Block toggles = load(words);
            if (!is_zero(toggles)) {
                put_bits(out, inside_bits(toggles, inside));
                clear(words);
            } else if (!out_is_zero || inside != 0) {
                std::memset(out, static_cast<int>(inside & 255), 8 * block_words);
            }
            words += block_words;
            out += 8 * block_words;
        }
        for (; left > 0; left -= 8) {
            const std::uint64_t word = inside_bits_of_word(*words, inside);
            *words++ = 0;
            for (std::int64_t i = 0; i < std::min(left, std::int64_t{8}); ++i)
                *out++ = static_cast<std::uint8_t>(word >> (8 * i));
        }
        *words = 0;
        if (!layout.dense && layout.cols % 8 != 0)
            out[-1] = static_cast<std::uint8_t>(out[-1] & ((1 << layout.cols % 8) - 1));
    }
}

/* Writes the columns of the set bits. */
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
