/* Toggling a band's crossings. Included once per target, inside its namespace, after
 * toggle_decided(). */

/* One edge: the rows of it in the band, and the fixed-point column on the first of them. */
struct Segment {
    std::int64_t first, rows;
    std::uint64_t x;
};

static inline Segment segment_of(const Edge &edge, const Band &band) noexcept
{
    const std::int64_t first = std::max(std::int64_t{edge.first}, band.first);
    const std::int64_t end = std::min(std::int64_t{edge.first} + edge.rows, band.first + band.rows);
    return {first, end - first,
            edge.stepping.x + static_cast<std::uint64_t>(first - edge.first) * edge.stepping.step};
}

static inline void toggle_bit(std::uint64_t *bits, std::uint64_t bit) noexcept
{
    bits[bit / 64] ^= std::uint64_t{1} << (bit % 64);
}

/* Where row `row` of the image starts in the band's buffer. */
static inline std::uint64_t row_bit(const Layout &layout, const Band &band,
                                    std::int64_t row) noexcept
{
    return static_cast<std::uint64_t>(band.first_bit + (row - band.first) * layout.stride);
}

/* Rows from .. end - 1 by the formula. */
static void toggle_by_formula(const EdgeTable &table, const Edge &edge, const Layout &layout,
                              const Band &band, std::uint64_t *bits, std::int64_t from,
                              std::int64_t end) noexcept
{
    const double *p1 = table.vertices + 2 * std::size_t{edge.p1};
    const double *p2 = table.vertices + 2 * std::size_t{edge.p2};
    for (std::int64_t row = from; row < end; ++row)
        toggle_bit(bits, row_bit(layout, band, row) +
                             static_cast<std::uint64_t>(crossing_column(
                                 table.window, table.window.y(row), p1[0], p1[1], p2[0], p2[1])));
}

/* Rows that may leave the window's columns: stepped and clamped one by one. */
static void toggle_clamped(const EdgeTable &table, const Edge &edge, const Layout &layout,
                           const Band &band, std::uint64_t *bits, const Segment &segment) noexcept
{
    std::uint64_t x = segment.x;
    for (std::int64_t row = segment.first; row < segment.first + segment.rows; ++row) {
        if ((x & edge.stepping.mask) != 0) {
            const std::int64_t column = static_cast<std::int64_t>(x) >> fraction_bits;
            toggle_bit(bits, row_bit(layout, band, row) +
                                 static_cast<std::uint64_t>(
                                     std::min(std::max(column, std::int64_t{0}), layout.cols)));
        } else {
            toggle_by_formula(table, edge, layout, band, bits, row, row + 1);
        }
        x += edge.stepping.step;
    }
}

static void toggle_edge(const EdgeTable &table, const Edge &edge, const Layout &layout,
                        const Band &band, std::uint64_t *bits) noexcept
{
    const Segment segment = segment_of(edge, band);
    if (segment.rows <= 0)
        return;
    const std::int64_t end = segment.first + segment.rows;
    const auto [edge_x, edge_step, mask] = edge.stepping;
    if (mask == 0) {
        toggle_by_formula(table, edge, layout, band, bits, segment.first, end);
        return;
    }

    /* Columns run one way along an edge: its ends tell whether all of it is inside. */
    const std::uint64_t width = static_cast<std::uint64_t>(layout.cols + 1) * one;
    const std::uint64_t last_x =
        segment.x + static_cast<std::uint64_t>(segment.rows - 1) * edge_step;
    if (segment.x >= width || last_x >= width) {
        const auto signed_width = static_cast<std::int64_t>(width);
        if (!layout.dense && static_cast<std::int64_t>(segment.x) >= signed_width &&
            static_cast<std::int64_t>(last_x) >= signed_width)
            return;
        toggle_clamped(table, edge, layout, band, bits, segment);
        return;
    }

    /* Position in the buffer and column advance together. */
    const std::uint64_t step = edge_step + static_cast<std::uint64_t>(layout.stride) * one;
    std::uint64_t x = segment.x + row_bit(layout, band, segment.first) * one;
    std::int64_t row = segment.first, near_integer = 0;
    for (;;) {
        const std::int64_t done = toggle_decided(bits, x, step, mask, end - row);
        row += done;
        if (row == end)
            return;
        /* An edge whose crossings are near integers often, such as a diagonal through the samples,
         * is faster without looking. */
        const bool often = 2 * ++near_integer > row - segment.first;
        const std::int64_t next = often ? end : row + 1;
        toggle_by_formula(table, edge, layout, band, bits, row, next);
        if (next == end)
            return;
        x += static_cast<std::uint64_t>(done + 1) * step;
        row = next;
    }
}

/* Strip by strip of columns, as a counting sort puts them: the few lines of the buffer that a strip
 * needs stay in the first cache. */
static void toggle_ordered(const EdgeTable &table, const Layout &layout, const Band &band,
                           std::uint64_t *bits, const StripOrder &order) noexcept
{
    const std::int64_t strips = layout.strips();
    std::fill(order.starts, order.starts + strips + 1, 0);
    std::size_t count = 0;
    table.for_ranges(band.index, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Edge &edge = table.edge(i);
            const Segment segment = segment_of(edge, band);
            if (segment.rows <= 0)
                continue;
            const std::uint64_t middle =
                segment.x + static_cast<std::uint64_t>(segment.rows / 2) * edge.stepping.step;
            const std::int64_t column = static_cast<std::int64_t>(middle) >> fraction_bits;
            const auto strip = static_cast<std::uint16_t>(
                std::min(std::max(column, std::int64_t{0}), layout.cols) >> Layout::strip_shift);
            order.edges[count] = i;
            order.strips[count++] = strip;
            ++order.starts[strip];
        }
    });
    std::uint32_t start = 0;
    for (std::int64_t strip = 0; strip < strips; ++strip)
        start += std::exchange(order.starts[strip], start);
    for (std::size_t i = 0; i < count; ++i)
        order.sorted[order.starts[order.strips[i]]++] = order.edges[i];
    for (std::size_t i = 0; i < count; ++i) {
        __builtin_prefetch(&table.edge(order.sorted[std::min(i + 4, count - 1)]));
        toggle_edge(table, table.edge(order.sorted[i]), layout, band, bits);
    }
}

static void toggle(const EdgeTable &table, const Layout &layout, const Band &band,
                   std::uint64_t *bits, const StripOrder &order) noexcept
{
    if (layout.ordered) {
        toggle_ordered(table, layout, band, bits, order);
    } else {
        table.for_ranges(band.index, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t i = begin; i < end; ++i)
                toggle_edge(table, table.edge(i), layout, band, bits);
        });
    }
    for (const Sample &crossing : table.crossings(band.index))
        toggle_bit(bits, row_bit(layout, band, crossing.row) + crossing.column);
}
