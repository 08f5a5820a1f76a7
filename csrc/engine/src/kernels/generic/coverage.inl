/* Sums the areas that edges cover, and writes them as fractions. Included once per target, inside
 * its namespace.
 *
 * Compilers vectorize the loops over eight rows or columns. */

/* Rounds a height or area of 0 .. 2^31 units, halves up. 2^31 does not fit in an int32_t, the only
 * type to which vectors convert. */
static inline std::uint32_t to_units(double v) noexcept
{
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(v - (height_units + 0.5))) + whole;
}

/* Returns the floor for |v| <= 2^51, without a call. */
static inline double floor_below(double v) noexcept
{
    const double rounded = (v + 0x1.8p52) - 0x1.8p52;
    return rounded - (rounded > v ? 1.0 : 0.0);
}

static inline double clamp(double v, double low, double high) noexcept
{
    const double above = v > low ? v : low; /* NaN: low */
    return above < high ? above : high;
}

static inline double crossing_of(const CoverEdge &e, double y) noexcept
{
    const double low = e.x1 < e.x2 ? e.x1 : e.x2, high = e.x1 < e.x2 ? e.x2 : e.x1;
    if (e.far) { /* halves do not overflow */
        const double part = (y / 2 - e.y1 / 2) / (e.y2 / 2 - e.y1 / 2);
        return clamp(e.x1 * (1 - part) + e.x2 * part, low, high);
    }
    return clamp(e.x1 + (y - e.y1) * e.slope, low, high);
}

static inline std::uint32_t with_factor(std::uint32_t units, std::int32_t factor) noexcept
{
    return factor < 0 ? 0 - units : units;
}

/* Adds the area to the right of a piece of an edge within one row, from xa to xb, over `height`
 * units. `sums` points to column 0 of the row. */
static inline void cover_piece(const CoverEdge &e, const Window &window, std::uint32_t *sums,
                               double xa, double xb, std::uint32_t height) noexcept
{
    const double most = 0x1p51;
    const double left = clamp(xa < xb ? xa : xb, -most, most),
                 right = clamp(xa < xb ? xb : xa, -most, most);
    const auto first_column = static_cast<double>(window.column_offset),
               columns = static_cast<double>(window.cols);
    const double left_cell = floor_below(left), right_cell = floor_below(right);
    const double first = left_cell - first_column, last = right_cell - first_column;
    if (first >= columns)
        return;
    const auto add = [&](std::int64_t column, std::uint32_t units) {
        sums[column] += with_factor(units, e.factor);
    };
    if (last < 0) {
        add(-1, height);
        return;
    }
    const double all = height;
    if (left_cell == right_cell) {
        const auto column = static_cast<std::int64_t>(first);
        const std::uint32_t next =
            to_units(all * (0.5 * ((left - left_cell) + (right - left_cell))));
        add(column, height - next);
        add(column + 1, next);
        return;
    }

    /* Returns the part of the height left of the border before a column. */
    const double steepness = e.steepness * height_units;
    const auto height_at = [&](double cell) {
        const double reached = (cell - left) * steepness;
        return to_units(reached < all ? reached : all);
    };
    std::int64_t column;
    std::uint32_t before, carried;
    if (first < 0) {
        column = 0;
        before = height_at(first_column);
        carried = 0;
        add(-1, before);
    } else {
        column = static_cast<std::int64_t>(first);
        before = height_at(left_cell + 1);
        carried = to_units(before * (0.5 * ((left - left_cell) + 1)));
        add(column, before - carried);
        ++column;
    }
    const auto end = static_cast<std::int64_t>(last < columns ? last : columns);
    for (; column + 8 <= end; column += 8) {
        std::uint32_t heights[9], nexts[9];
        heights[0] = before;
        nexts[0] = carried;
        const double cell = static_cast<double>(column) + (first_column + 1);
        for (int i = 0; i < 8; ++i) {
            const double reached = (cell + i - left) * steepness;
            heights[i + 1] = to_units(reached < all ? reached : all);
        }
        for (int i = 0; i < 8; ++i)
            nexts[i + 1] = (heights[i + 1] - heights[i]) / 2;
        for (int i = 0; i < 8; ++i)
            sums[column + i] +=
                with_factor(heights[i + 1] - heights[i] - nexts[i + 1] + nexts[i], e.factor);
        before = heights[8];
        carried = nexts[8];
    }
    for (; column < end; ++column) {
        const std::uint32_t reached = height_at(static_cast<double>(column) + (first_column + 1));
        const std::uint32_t next = (reached - before) / 2;
        add(column, reached - before - next + carried);
        before = reached;
        carried = next;
    }
    if (last < columns) {
        const std::uint32_t next = to_units((height - before) * (0.5 * (right - right_cell)));
        add(column, height - before - next + carried);
        add(column + 1, next);
    } else {
        add(column, carried); /* the margin */
    }
}

/* Adds the area that an edge covers in the rows of `out`. */
static void cover(const CoverEdge &e, const Window &window, const CoverSums &out) noexcept
{
    std::int64_t row = std::max(e.first_row, out.first);
    const std::int64_t end = std::min(e.last_row + 1, out.end);
    if (row >= end)
        return;
    const auto border = [&](std::int64_t below) {
        return crossing_of(e, static_cast<double>(below + window.row_offset));
    };
    if (row == e.first_row) {
        const bool only = e.first_row == e.last_row;
        const std::uint32_t last = only ? e.last_y : whole;
        cover_piece(e, window, out.row(row), e.x1, only ? e.x2 : border(row + 1), last - e.first_y);
        ++row;
    }
    const std::int64_t whole_end = std::min(e.last_row, end);
    if (row < whole_end) {
        if (std::max(std::fabs(e.x1), std::fabs(e.x2)) <= CoverEdge::most_x && !e.far) {
            cover_whole_rows(e, window, out, row, whole_end);
            row = whole_end;
        } else {
            double x = border(row);
            for (; row < whole_end; ++row) {
                const double next = border(row + 1);
                cover_piece(e, window, out.row(row), x, next, whole);
                x = next;
            }
        }
    }
    if (row < end && e.last_y != 0)
        cover_piece(e, window, out.row(row), border(row), e.x2, e.last_y);
}

/* Writes a row's fractions, except zeros with `out_is_zero`, and sets its sums to zero. */
static void write_fractions(std::uint32_t *sums, std::int64_t cols, float *out,
                            bool out_is_zero) noexcept
{
    std::uint32_t sum = 0;
    for (std::int64_t c = -CoverSums::margin; c < 0; ++c)
        sum += sums[c];
    std::fill_n(sums - CoverSums::margin, CoverSums::margin, 0u);
    /* Whole cache lines of the output. */
    constexpr std::int64_t at_once = 32;
    const auto head = std::min(
        cols, static_cast<std::int64_t>((0 - reinterpret_cast<std::uintptr_t>(out)) % 64 / 4));
    std::uint32_t *const end = sums + cols;
    const auto one_by_one = [&](std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) {
            *out++ = to_fraction(sum += *sums);
            *sums++ = 0;
        }
    };
    one_by_one(head);
    RowSum so_far = row_sum(sum);
    for (; end - sums >= at_once; sums += at_once, out += at_once) {
        if (are_zero(sums)) {
            const float value = to_fraction(sum_of(so_far));
            if (value != 0 || !out_is_zero)
                for (int i = 0; i < at_once; ++i)
                    out[i] = value;
            continue;
        }
        for (int i = 0; i < at_once; i += 16)
            put_fractions(sums + i, so_far, out + i);
    }
    sum = sum_of(so_far);
    one_by_one(end - sums);
    std::fill_n(sums, CoverSums::margin, 0u);
}
