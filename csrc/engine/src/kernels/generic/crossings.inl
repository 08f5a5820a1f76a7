/* The columns of an edge, row by row, and the toggling of a band's crossings.
 *
 * The target defines eight numbers and eight counts (coverage_rows.inl); toggle_decided, which
 * toggles rows of an edge until one is near an integer, and returns their number; and Tiles
 * (tiles.inl), whose functions toggle() and to_runs() do so for tiles (bands.hpp) and turn tiles
 * into runs, if they `exist`. */

/* Computes the number of rows whose samples are at or above each vertex; returns whether a vertex
 * is in the row of a sample. */
static bool vertex_rows(const Window &window, const double *vertices, std::int64_t count,
                        double *copy, std::int32_t *out) noexcept
{
    const Window w = window; /* a copy, which stores to `out` cannot alias */
    for (std::int64_t i = 0; i < 2 * count; ++i)
        copy[i] = finite(vertices[i]);
    std::int64_t on_sample = 0;
    for (std::int64_t i = 0; i < count; ++i) {
        const double y = copy[2 * i + 1];
        const std::int64_t row = w.rows_up_to(y);
        out[i] = static_cast<std::int32_t>(row);
        on_sample |= static_cast<std::int64_t>(w.y(row - 1) == y);
    }
    return on_sample != 0;
}

/* The columns of an edge in eight rows: crossing_column for y, y + 1, ..., computed only with
 * doubles, which are exact here. */
class Crossings
{
  public:
    Crossings(const Window &window, double x1, double y1, double x2, double y2) noexcept
        : x1_(repeat(x1)), y1_(repeat(y1)), width_(repeat(x2 - x1)), height_(repeat(y2 - y1)),
          left_of_all_(repeat(window.x(-1))), offset_(repeat(window.x(0) - window.half)),
          half_(repeat(window.half)), cols_(repeat(static_cast<double>(window.cols)))
    {
        const Numbers right_of_all = plus(offset_, cols_);
        most_ = lesser_of(repeat(std::max(x1, x2)), right_of_all);
    }
    Counts columns(double y) const noexcept
    {
        const Numbers from_first = minus(plus(repeat(y), zero_to_seven()), y1_);
        const Numbers x = plus(over(times(from_first, width_), height_), x1_);
        const Numbers near = lesser_of(greater_of(x, left_of_all_), most_); /* NaN: left of all */
        /* The addition rounds a number below 2^51 to an integer. */
        const Numbers ones = repeat(0x1.8p52);
        const Numbers whole = minus(plus(near, ones), ones);
        const Numbers floor = minus(whole, one_where_less(near, whole));
        /* floor + half is exact: exclude that sample if it is beyond x. */
        const Numbers beyond = one_where_less(near, plus(floor, half_));
        const Numbers count = minus(plus(minus(floor, offset_), repeat(1.0)), beyond);
        return rounded(lesser_of(count, cols_));
    }

  private:
    Numbers x1_, y1_, width_, height_, left_of_all_, offset_, half_, cols_, most_;
};

/* Computes eight rows at once, with up to seven beyond the last. */
static void edge_columns(const Window &source, const double *p1, const double *p2,
                         std::int32_t first, std::int32_t end, std::int32_t *out) noexcept
{
    constexpr int at_once = 8;
    const Window window = source;
    const double x1 = p1[0], y1 = p1[1], x2 = p2[0], y2 = p2[1];
    const auto by_formula = [&](std::int32_t row) {
        return static_cast<std::int32_t>(crossing_column(window, window.y(row), x1, y1, x2, y2));
    };
    if (x1 == x2 || std::max(x1, x2) < window.x(0)) {
        const std::int64_t column = x1 == x2 ? window.columns_up_to(x1) : 0;
        std::fill(out, out + (end - first), static_cast<std::int32_t>(column));
        return;
    }
    const auto in_eights = [&] {
        const Crossings crossings(window, x1, y1, x2, y2);
        for (std::int32_t row = first; row < end; row += at_once, out += at_once)
            store(reinterpret_cast<std::uint32_t *>(out), crossings.columns(window.y(row)));
    };
    if (end - first <= at_once) {
        in_eights();
        return;
    }
    /* Steps are faster for more rows. Their columns are modulo 2^24, which includes the window. */
    const Vertex v1 = {x1, y1, 0, lattice(x1) | lattice(y1), 0},
                 v2 = {x2, y2, 0, lattice(x2) | lattice(y2), 0};
    constexpr std::int64_t most_offset = std::int64_t{1} << 22;
    if (!can_step(v1, v2) || window.column_offset < -most_offset ||
        window.column_offset > most_offset) {
        in_eights();
        return;
    }
    const auto [start, step, mask] = stepping(window, first, end - first, v1, v2);
    const auto cols = static_cast<std::int32_t>(window.cols);
    std::uint64_t x = start;
    for (std::int32_t row = first; row < end; row += at_once, out += at_once) {
        std::uint64_t undecided = 0;
        for (int i = 0; i < at_once; ++i) {
            const std::uint64_t at = x + static_cast<std::uint64_t>(i) * step;
            const auto column = static_cast<std::int32_t>(at >> 32) >> (fraction_bits - 32);
            out[i] = std::min(std::max(column, std::int32_t{0}), cols);
            undecided |= static_cast<std::uint64_t>((at & mask) == 0);
        }
        if (undecided != 0)
            for (int i = 0; i < at_once; ++i)
                if (((x + static_cast<std::uint64_t>(i) * step) & mask) == 0)
                    out[i] = by_formula(row + i);
        x += at_once * step;
    }
}

/* The rows of one edge in the band, and the fixed-point column in the first of them. */
struct Segment {
    std::int64_t first, end;
    std::uint64_t x;
};

class Toggler
{
  public:
    Toggler(const EdgeTable &table, const Layout &layout, const Band &band,
            std::uint64_t *bits) noexcept
        : table_(table), layout_(layout), bits_(bits), band_first_(band.first),
          band_end_(band.first + band.rows),
          first_bit_(layout.tiled ? 0 : static_cast<std::uint64_t>(band.first_bit)),
          row_step_(static_cast<std::uint64_t>(layout.stride) * one_column),
          width_(static_cast<std::uint64_t>(layout.cols + 1) * one_column)
    {
    }

    void toggle(const Sample &crossing) const noexcept
    {
        const std::uint64_t bit =
            first_bit_ + layout_.bit(crossing.row - band_first_, crossing.column);
        bits_[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }

    void toggle(const Edge &edge) const noexcept
    {
        const Segment segment = segment_of(edge);
        if (segment.first >= segment.end)
            return;
        const auto [edge_x, edge_step, mask] = edge.stepping;
        /* Columns are monotone along an edge: if both ends are inside, so is the edge. */
        const auto steps = static_cast<std::uint64_t>(segment.end - segment.first - 1);
        const std::uint64_t last_x = segment.x + steps * edge_step;
        if (segment.x >= width_ || last_x >= width_ || mask == 0) {
            toggle_outside(edge, segment, last_x);
            return;
        }
        const std::int64_t done = toggle_decided_from(segment.first, segment.end, segment.x, edge);
        if (done < segment.end - segment.first)
            toggle_undecided(edge, segment, done);
    }

  private:
    Segment segment_of(const Edge &edge) const noexcept
    {
        const std::int64_t first = std::max(std::int64_t{edge.first}, band_first_);
        const std::int64_t end = std::min(std::int64_t{edge.first} + edge.rows, band_end_);
        const auto before = static_cast<std::uint64_t>(first - edge.first);
        return {first, end, edge.stepping.x + before * edge.stepping.step};
    }

    /* Toggles rows first .. end - 1 until one is not decided; returns their number. */
    template <class Target = Tiles>
    std::int64_t toggle_decided_from(std::int64_t first, std::int64_t end, std::uint64_t x,
                                     const Edge &edge) const noexcept
    {
        const auto [edge_x, step, mask] = edge.stepping;
        const std::int64_t row = first - band_first_, rows = end - first;
        if constexpr (Target::exist)
            if (layout_.tiled)
                return Target::toggle(bits_, layout_.stride, row, x, step, mask, rows);
        /* The position in the buffer and the column advance together. */
        return toggle_decided(bits_, x + (first_bit_ + layout_.bit(row, 0)) * one_column,
                              step + row_step_, mask, rows);
    }

    void toggle(std::int64_t row, std::int64_t column) const noexcept
    {
        toggle(Sample{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
    }

    [[gnu::noinline]] void toggle_by_formula(const Edge &edge, std::int64_t from,
                                             std::int64_t end) const noexcept
    {
        const double *p1 = table_.vertices + 2 * std::size_t{edge.p1};
        const double *p2 = table_.vertices + 2 * std::size_t{edge.p2};
        const Window &window = table_.window;
        const Crossings crossings(window, p1[0], p1[1], p2[0], p2[1]);
        for (std::int64_t row = from; row < end; row += 8) { /* rows from `end` on are unused */
            std::uint32_t columns[8];
            store(columns, crossings.columns(window.y(row)));
            for (int i = 0; i < 8 && row + i < end; ++i)
                toggle(row + i, columns[i]);
        }
    }

    /* Toggles the segment from its row number `done` on, which is near an integer. */
    [[gnu::noinline]] void toggle_undecided(const Edge &edge, const Segment &segment,
                                            std::int64_t done) const noexcept
    {
        const std::int64_t rows = segment.end - segment.first;
        for (std::int64_t near_integer = 1; done < rows; ++near_integer) {
            /* For an edge that is often near integers, such as a diagonal through the samples, the
             * formula is faster without the test. */
            const std::int64_t next = 2 * near_integer > done ? rows : done + 1;
            toggle_by_formula(edge, segment.first + done, segment.first + next);
            const std::uint64_t x =
                segment.x + static_cast<std::uint64_t>(next) * edge.stepping.step;
            done = next + toggle_decided_from(segment.first + next, segment.end, x, edge);
        }
    }

    /* Toggles rows one by one, for edges that may leave the window or cannot be stepped. */
    [[gnu::noinline]] void toggle_outside(const Edge &edge, const Segment &segment,
                                          std::uint64_t last_x) const noexcept
    {
        const auto [edge_x, edge_step, mask] = edge.stepping;
        if (mask == 0) {
            toggle_by_formula(edge, segment.first, segment.end);
            return;
        }
        const auto width = static_cast<std::int64_t>(width_);
        if (!layout_.dense && static_cast<std::int64_t>(segment.x) >= width &&
            static_cast<std::int64_t>(last_x) >= width)
            return;
        std::uint64_t x = segment.x;
        for (std::int64_t row = segment.first; row < segment.end; ++row, x += edge_step) {
            const std::int64_t column = static_cast<std::int64_t>(x) >> fraction_bits;
            if ((x & mask) != 0)
                toggle(row, std::min(std::max(column, std::int64_t{0}), layout_.cols));
            else
                toggle_by_formula(edge, row, row + 1);
        }
    }

    const EdgeTable &table_;
    const Layout &layout_;
    std::uint64_t *bits_;
    std::int64_t band_first_, band_end_;
    std::uint64_t first_bit_, row_step_, width_;
};

static void toggle(const EdgeTable &table, const Layout &layout, const Band &band,
                   std::uint64_t *bits) noexcept
{
    const Toggler toggler(table, layout, band, bits);
    table.for_ranges(band.index, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i)
            toggler.toggle(table.edge(i));
    });
    for (const Sample &crossing : table.crossings(band.index))
        toggler.toggle(crossing);
}
