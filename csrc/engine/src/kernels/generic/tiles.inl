/* A band in tiles of 8 rows x 8 columns (bands.hpp), where 32 rows of an edge are toggled at once.
 *
 * The target defines three types and their functions.
 *   EightLanes: eight numbers of 32 bits.
 *     every_lane(v), lane_rows()      the same number, and 0, 1, 2, 3, 16, 17, 18, 19;
 *     plus, times, both, lesser_of    of two vectors; `both` is a bitwise and;
 *     any_below(v, least)             whether a number is less;
 *     top_bytes(a, b, c, d)           RowBytes of the upper 8 bits of each, in order if the rows of
 *                                     b, c and d are 4, 8 and 12 more than those of a.
 *   RowBytes: a byte for each of 32 rows.
 *     every_byte(n), row_numbers()    the same number, and 0 .. 31;
 *     both, but_not                   of two vectors; a & b and a & ~b;
 *     equal_bytes, less_bytes         255 where a == b or, below 128, a < b, and otherwise 0;
 *     single_bits(v)                  bit number v % 8;
 *     from_rows(v, rows)              the bytes of other rows of the same 16;
 *     store_bytes(to, v)              `to` aligned to 32.
 *   EightWords: eight words of 64 bits.
 *     load_eight(from), are_zero(a, b);
 *     transposed(v)                   byte i of word k becomes byte k of word i;
 *     moved_up(v, before, bits)       each word moved up by a number of bits below 64, with the
 *                                     bits that a word before it loses;
 *     store_each(to, stride, v)       at `to`, `to + stride`, ... */

/* Toggles rows of the tile that contains the column x: `part` begins in the row of `first_tile`. */
template <class Part>
static inline void toggle_part(std::uint8_t *first_tile, std::uint64_t x, Part part) noexcept
{
    std::uint8_t *const at = first_tile + (x >> (fraction_bits + 3)) * 8;
    Part bits;
    std::memcpy(&bits, at, sizeof bits);
    bits = static_cast<Part>(bits ^ part);
    std::memcpy(at, &bits, sizeof bits);
}

/* Toggles rows of an edge one by one, from `row` on, until one is not decided; returns their
 * number. 8 rows are `stride` bytes. The bytes of rows are independent, unlike their words. */
static inline std::int64_t toggle_tile_rows(std::uint8_t *tiles, std::int64_t stride,
                                            std::int64_t row, std::uint64_t x, std::uint64_t step,
                                            std::uint64_t mask, std::int64_t rows) noexcept
{
    for (std::int64_t done = 0; done < rows; ++done, ++row, x += step) {
        if ((x & mask) == 0)
            return done;
        toggle_part(tiles + row / 8 * stride + row % 8, x,
                    static_cast<std::uint8_t>(1 << (x >> fraction_bits & 7)));
    }
    return rows;
}

/* The columns of an edge in the 32 rows of a block, modulo 256 (formula.hpp). Each vector has the
 * rows that top_bytes() puts in order. */
class Lanes
{
  public:
    Lanes(std::uint64_t x, std::uint64_t step, const LaneBounds &bounds) noexcept
        : step_(every_lane(LaneBounds::units(LaneBounds::rows * step))), least_(bounds.least)
    {
        const EightLanes first = every_lane(LaneBounds::units(x) + bounds.deficit),
                         row_step = every_lane(LaneBounds::units(step)),
                         two = plus(row_step, row_step);
        a_ = plus(first, times(lane_rows(), row_step));
        b_ = plus(a_, plus(two, two));
        c_ = plus(b_, plus(two, two));
        d_ = plus(c_, plus(two, two));
    }
    /* Returns whether all rows are decided. */
    bool decided() const noexcept
    {
        return !any_below(
            lesser_of(lesser_of(fraction(a_), fraction(b_)), lesser_of(fraction(c_), fraction(d_))),
            least_);
    }
    RowBytes columns() const noexcept { return top_bytes(a_, b_, c_, d_); }
    /* Moves to the next block. */
    void advance() noexcept
    {
        a_ = plus(a_, step_);
        b_ = plus(b_, step_);
        c_ = plus(c_, step_);
        d_ = plus(d_, step_);
    }

  private:
    static EightLanes fraction(EightLanes lanes) noexcept
    {
        return both(lanes, every_lane(0xffffff));
    }

    EightLanes a_, b_, c_, d_, step_;
    std::uint32_t least_;
};

/* The toggled bits of a block's rows, a byte for each row, in words of `Part` for consecutive rows
 * that are in at most two tiles: those in the tile of the part's first row, and the others. */
template <class Part> struct Parts {
    static constexpr int rows = sizeof(Part), count = LaneBounds::rows / rows;
    alignas(32) Part in_first[count], in_last[count];

    /* Of rows first .. end - 1 of the block; other bits are 0. As columns are monotone, the bits in
     * `in_first` are in the tile of the part's first row that is toggled, if there are any, and
     * those in `in_last` in the tile of the last. */
    Parts(RowBytes columns, std::int64_t first, std::int64_t end) noexcept
    {
        RowBytes bits = single_bits(columns);
        if (first != 0 || end != LaneBounds::rows)
            bits = but_not(both(bits, less_bytes(row_numbers(), every_byte(end))),
                           less_bytes(row_numbers(), every_byte(first)));
        const RowBytes tile = both(columns, every_byte(0xf8));
        const RowBytes begin = both(row_numbers(), every_byte(LaneBounds::rows - rows));
        const RowBytes is_first = equal_bytes(tile, from_rows(tile, begin));
        store_bytes(in_first, both(bits, is_first));
        store_bytes(in_last, but_not(bits, is_first));
        through_memory(in_first);
        through_memory(in_last);
    }
};

/* Toggles rows first .. end - 1 of a block whose row 0 has the position x. */
template <class Part>
static inline void toggle_block(std::uint8_t *tiles, std::int64_t stride, std::uint64_t x,
                                std::uint64_t step, RowBytes columns, std::int64_t first,
                                std::int64_t end) noexcept
{
    using Block = Parts<Part>;
    const Block parts(columns, first, end);
    const Part *in_first = parts.in_first, *in_last = parts.in_last;
    if (first == 0 && end == LaneBounds::rows) {
        for (int tile = 0; tile < LaneBounds::rows / 8; ++tile, tiles += stride) {
            for (int row = 0; row < 8; row += Block::rows) {
                toggle_part(tiles + row, x, *in_first++);
                x += (Block::rows - 1) * step;
                if constexpr (Block::rows > 1)
                    toggle_part(tiles + row, x, *in_last++);
                x += step;
            }
        }
        return;
    }
    for (std::int64_t i = first / Block::rows; i * Block::rows < end; ++i) {
        const std::int64_t row = i * Block::rows;
        std::uint8_t *const at = tiles + row / 8 * stride + row % 8;
        const std::int64_t from = std::max(row, first), to = std::min(row + Block::rows, end) - 1;
        toggle_part(at, x + static_cast<std::uint64_t>(from) * step, in_first[i]);
        if constexpr (Block::rows > 1)
            toggle_part(at, x + static_cast<std::uint64_t>(to) * step, in_last[i]);
    }
}

/* Toggles rows until one is not decided; returns their number. */
template <class Part>
static std::int64_t toggle_blocks(std::uint8_t *tiles, std::int64_t stride, std::int64_t row,
                                  std::uint64_t x, std::uint64_t step, std::uint64_t mask,
                                  std::int64_t rows) noexcept
{
    constexpr std::int64_t at_once = LaneBounds::rows;
    /* Blocks begin with the first row of a tile. */
    const std::int64_t before = row % 8, behind = before + rows;
    x -= static_cast<std::uint64_t>(before) * step;
    tiles += row / 8 * stride;
    Lanes lanes(x, step, {mask, (behind + at_once - 1) / at_once});
    for (std::int64_t block = 0; block < behind; block += at_once) {
        const std::int64_t first = std::max(before - block, std::int64_t{0}),
                           end = std::min(behind - block, at_once);
        if (!lanes.decided()) [[unlikely]] {
            const std::int64_t toggled =
                toggle_tile_rows(tiles, stride, first, x + static_cast<std::uint64_t>(first) * step,
                                 step, mask, end - first);
            if (toggled < end - first)
                return block + first + toggled - before;
        } else if (first == 0 && end == at_once) {
            toggle_block<Part>(tiles, stride, x, step, lanes.columns(), 0, at_once);
        } else {
            toggle_block<Part>(tiles, stride, x, step, lanes.columns(), first, end);
        }
        lanes.advance();
        x += at_once * step;
        tiles += at_once / 8 * stride;
    }
    return rows;
}

struct Tiles {
    static constexpr bool exist = true;

    /* Toggles rows of an edge, from row number `row` and the position x on, until one is not
     * decided; returns their number. */
    static std::int64_t toggle(std::uint64_t *bits, std::int64_t stride, std::int64_t row,
                               std::uint64_t x, std::uint64_t step, std::uint64_t mask,
                               std::int64_t rows) noexcept
    {
        constexpr std::int64_t few_rows = 12;
        constexpr std::uint64_t tile = 8 * one_column;
        auto *const tiles = reinterpret_cast<std::uint8_t *>(bits);
        /* 8 rows, or 4, in two tiles: their first and last column are at most a tile apart */
        const std::uint64_t slope = std::min(step, 0 - step);
        const auto toggle_all = rows < few_rows     ? toggle_tile_rows
                                : slope <= tile / 7 ? toggle_blocks<std::uint64_t>
                                : slope <= tile / 3 ? toggle_blocks<std::uint32_t>
                                                    : toggle_blocks<std::uint8_t>;
        return toggle_all(tiles, stride, row, x, step, mask, rows);
    }

    /* Turns 8 rows of tiles into runs of `words` words, each moved up by a number of bits below 64,
     * and sets the tiles to zero. The runs must be zero before. */
    static void to_runs(std::uint64_t *tiles, std::int64_t words, const std::uint64_t *shifts,
                        std::uint64_t *runs) noexcept
    {
        const EightWords bits = load_eight(shifts);
        EightWords before = {};
        for (std::int64_t i = 0; i < words; ++i) {
            std::uint64_t *const from = tiles + 8 * i;
            const EightWords columns = load_eight(from);
            if (are_zero(columns, before))
                continue;
            std::memset(from, 0, sizeof columns);
            const EightWords rows = transposed(columns);
            store_each(runs + i, words, moved_up(rows, before, bits));
            before = rows;
        }
    }
};
