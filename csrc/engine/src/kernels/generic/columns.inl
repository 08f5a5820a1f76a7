/* The columns of an edge, row by row. Included once per target, inside its namespace. */

/* How many rows of the window have their samples at or above each vertex, and whether a vertex
 * lies on one. */
static bool vertex_rows(const Window &window, const double *vertices, std::int64_t count,
                        double *copy, std::int32_t *out) noexcept
{
    const Window w = window; /* which `out` cannot change */
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

/* The columns of an edge in eight rows: crossing_column of y, y + 1, ..., in doubles alone, which
 * hold all of it exactly. */
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
        /* Added to these, a number below 2^51 is rounded to a whole one. */
        const Numbers ones = repeat(0x1.8p52);
        const Numbers whole = minus(plus(near, ones), ones);
        const Numbers floor = minus(whole, one_where_less(near, whole));
        /* floor + half is exact: is that sample beyond x? */
        const Numbers beyond = one_where_less(near, plus(floor, half_));
        const Numbers count = minus(plus(minus(floor, offset_), repeat(1.0)), beyond);
        return rounded(lesser_of(count, cols_));
    }

  private:
    Numbers x1_, y1_, width_, height_, left_of_all_, offset_, half_, cols_, most_;
};

/* Eight rows at once; up to seven beyond the last. */
static void edge_columns(const Window &of, const double *p1, const double *p2, std::int32_t first,
                         std::int32_t end, std::int32_t *out) noexcept
{
    constexpr int at_once = 8;
    const Window window = of;
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
    /* Steps pay from some rows on. Their columns are modulo 2^24, and the window's within. */
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
