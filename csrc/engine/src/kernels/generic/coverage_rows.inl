/* The area that an edge covers in rows that it crosses completely, eight rows at a time. Included
 * once per target, after the target's operations on eight numbers and eight counts:
 *
 *   repeat, zero_to_seven, places         eight equal ones; 0 .. 7 as numbers and as counts
 *   plus, minus, times, greater_of, ...   elementwise
 *   low_words, middle_words               bits 0 .. 31 and 31 .. 62 of numbers
 *   numbers_of, rounded                   from counts below 2^31, and to counts, ties to even
 *   first_of, with_first, with_at         the first few, else 0; one place replaced
 *   from_second, from_last                shifted by one place, with one from another eight
 *   add_threes                            adds to three neighbours at each index
 *
 * Crossings are first converted to the grid of columns and units, so that all later steps are the
 * same for windows with any origin. */

constexpr std::uint32_t whole = 0x80000000u; /* a square, a height, or a width, in units */
constexpr double height_units = 0x1p31;

/* Its sum with |x| <= CoverEdge::most_x has 31 digits after the point. */
constexpr double to_fixed = 0x1.8p21;
constexpr auto column_of_fixed =
    static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(to_fixed) >> 31);

/* The crossings of an edge with the borders of rows, from a row on. */
class BorderCrossings
{
  public:
    BorderCrossings(const CoverEdge &e, const Window &window, std::int64_t row) noexcept
        : y_(plus(repeat(static_cast<double>(row + window.row_offset)), zero_to_seven())),
          x1_(repeat(e.x1)), y1_(repeat(e.y1)), slope_(repeat(e.slope)),
          low_(repeat(std::min(e.x1, e.x2))), high_(repeat(std::max(e.x1, e.x2)))
    {
        advance();
    }
    void advance() noexcept
    {
        const Numbers x = plus(x1_, times(minus(y_, y1_), slope_));
        const Numbers fixed = plus(lesser_of(greater_of(x, low_), high_), repeat(to_fixed));
        y_ = plus(y_, repeat(8.0));
        units_ = next_units_;
        columns_ = next_columns_;
        next_units_ = low_words(fixed);
        next_columns_ = middle_words(fixed);
    }
    /* For eight rows, after the second advance(): the units after a column's border (with higher
     * bits set), and the column plus column_of_fixed. */
    Counts units_above() const noexcept { return units_; }
    Counts units_below() const noexcept { return from_second(units_, next_units_); }
    Counts columns_above() const noexcept { return columns_; }
    Counts columns_below() const noexcept { return from_second(columns_, next_columns_); }

  private:
    Numbers y_;
    const Numbers x1_, y1_, slope_, low_, high_;
    Counts units_{}, columns_{}, next_units_{}, next_columns_{};
};

/* Returns the number to subtract from a crossing's column for the column in the window, limited so
 * that the difference fits. */
static inline std::uint32_t first_column_of(const Window &window) noexcept
{
    constexpr std::int64_t most = std::int64_t{1} << 22;
    return column_of_fixed +
           static_cast<std::uint32_t>(std::min(std::max(window.column_offset, -most), most));
}

/* For edges at most 45 degrees from the vertical, which are in at most two columns of a row. If the
 * width of the edge is s, and d of it is in the second column, it covers d^2 / 2s beyond itself. */
template <bool negative, bool backwards>
static void cover_steep_rows(const CoverEdge &e, const Window &window, const CoverSums &out,
                             std::int64_t from, std::int64_t end) noexcept
{
    const Counts all = repeat(whole), digits = repeat(whole - 1);
    const Counts first_column = repeat(first_column_of(window));
    const Counts rows = times(places(), repeat(static_cast<std::uint32_t>(out.pitch)));
    const Numbers by_width = repeat(std::min(e.steepness, 0x1p32) * 0x1p-32);
    const auto columns_end = static_cast<std::int32_t>(window.cols);
    BorderCrossings crossings(e, window, from);
    for (std::int64_t row = from; row < end; row += 8) {
        crossings.advance();
        const Counts above = crossings.units_above(), below = crossings.units_below();
        const Counts left = both(backwards ? below : above, digits);
        const Counts width = lesser_of(backwards ? minus(above, below) : minus(below, above), all);
        const Counts beyond = minus(greater_of(plus(left, width), all), all);
        const Numbers d = numbers_of(beyond);
        const std::int64_t count = std::min(end - row, std::int64_t{8});
        const Counts third = rounded(times(times(d, d), by_width));
        const Counts uncovered = plus(left, half_of(width));
        const Counts first = plus(minus(all, uncovered), third);
        const Counts second = minus(uncovered, plus(third, third));
        const Counts columns =
            minus(backwards ? crossings.columns_below() : crossings.columns_above(), first_column);
        add_threes<negative>(out.row(row), plus(signed_clamp(columns, -4, columns_end), rows),
                             first_of(first, count), first_of(second, count),
                             first_of(third, count));
    }
}

/* For edges nearer to the horizontal, which are in two or more columns. Such an edge covers a
 * triangle of the first column, all but a triangle of the last, and of each column in between the
 * height at its middle. */
template <bool negative, bool backwards>
static void cover_flat_rows(const CoverEdge &e, const Window &window, const CoverSums &out,
                            std::int64_t from, std::int64_t end) noexcept
{
    const Counts all = repeat(whole), digits = repeat(whole - 1);
    const Counts first_column = repeat(first_column_of(window));
    const Numbers steepness = repeat(e.steepness), triangle = repeat(e.steepness * 0x1p-32);
    const Numbers height = repeat(height_units);
    const Numbers middles = times(plus(zero_to_seven(), repeat(0.5)), height);
    BorderCrossings crossings(e, window, from);
    for (std::int64_t row = from; row < end; row += 8) {
        crossings.advance();
        const Counts above = crossings.units_above(), below = crossings.units_below();
        const Numbers left = numbers_of(both(backwards ? below : above, digits)),
                      right = numbers_of(both(backwards ? above : below, digits));
        const Counts column = backwards ? crossings.columns_below() : crossings.columns_above(),
                     end_column = backwards ? crossings.columns_above() : crossings.columns_below();
        const Numbers rest = minus(height, left);
        double lefts[8];
        std::uint32_t firsts[8], lasts[8], columns[8], spans[8];
        store(lefts, left);
        store(firsts, rounded(times(times(rest, rest), triangle)));
        store(lasts, minus(all, rounded(times(times(right, right), triangle))));
        store(columns, minus(column, first_column));
        store(spans, minus(end_column, column));

        std::uint32_t *sums = out.row(row);
        const std::int64_t count = std::min(end - row, std::int64_t{8});
        for (std::int64_t i = 0; i < count; ++i, sums += out.pitch) {
            std::int64_t c = static_cast<std::int32_t>(columns[i]);
            const std::int64_t span = spans[i];
            std::int64_t skipped = 0; /* columns left of the window and its margin */
            if (c < -8) {
                skipped = std::min(-8 - c, span + 1);
                c = std::max(c + skipped, std::int64_t{-8});
            }
            Numbers at = minus(middles, repeat(lefts[i]));
            if (skipped != 0)
                at = plus(at, repeat(static_cast<double>(skipped) * height_units));
            Counts last_place = repeat(static_cast<std::uint32_t>(span - skipped));
            const auto covered = [&] {
                return with_at(rounded(lesser_of(times(at, steepness), height)), last_place,
                               lasts[i]);
            };
            const auto add = [&](Counts before, Counts v) {
                const Counts more = minus(v, from_last(before, v)), sum = load_counts(sums + c);
                store(sums + c, negative ? minus(sum, more) : plus(sum, more));
            };
            if (c >= window.cols)
                continue;
            Counts v = covered();
            if (skipped == 0 && span != 0)
                v = with_first(v, firsts[i]);
            add(repeat(0u), v);
            for (std::int64_t done = skipped + 8; done <= span + 1; done += 8) {
                c += 8;
                if (c >= window.cols)
                    break;
                at = plus(at, repeat(8 * height_units));
                last_place = minus(last_place, repeat(8u));
                const Counts before = v;
                v = covered();
                add(before, v);
            }
        }
    }
}

static void cover_whole_rows(const CoverEdge &e, const Window &window, const CoverSums &out,
                             std::int64_t from, std::int64_t end) noexcept
{
    const bool negative = e.factor < 0, backwards = e.x2 < e.x1;
    if (e.steepness >= 1) {
        if (negative)
            backwards ? cover_steep_rows<true, true>(e, window, out, from, end)
                      : cover_steep_rows<true, false>(e, window, out, from, end);
        else
            backwards ? cover_steep_rows<false, true>(e, window, out, from, end)
                      : cover_steep_rows<false, false>(e, window, out, from, end);
    } else {
        if (negative)
            backwards ? cover_flat_rows<true, true>(e, window, out, from, end)
                      : cover_flat_rows<true, false>(e, window, out, from, end);
        else
            backwards ? cover_flat_rows<false, true>(e, window, out, from, end)
                      : cover_flat_rows<false, false>(e, window, out, from, end);
    }
}
