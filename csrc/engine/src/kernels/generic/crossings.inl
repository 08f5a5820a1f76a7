/* Toggling a band's crossings. Included once per target, inside its namespace, after step.inl. */

/* One edge: the rows of it in the band, and the fixed-point column on the first of them. */
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
          band_end_(band.first + band.rows), first_bit_(band.first_bit),
          row_step_(static_cast<std::uint64_t>(layout.stride) * one_column),
          width_(static_cast<std::uint64_t>(layout.cols + 1) * one_column)
    {
    }

    Segment segment_of(const Edge &edge) const noexcept
    {
        const std::int64_t first = std::max(std::int64_t{edge.first}, band_first_);
        const std::int64_t end = std::min(std::int64_t{edge.first} + edge.rows, band_end_);
        const auto before = static_cast<std::uint64_t>(first - edge.first);
        return {first, end, edge.stepping.x + before * edge.stepping.step};
    }

    void toggle(const Sample &crossing) const noexcept
    {
        const std::uint64_t bit = row_bit(crossing.row) + crossing.column;
        bits_[bit / 64] ^= std::uint64_t{1} << (bit % 64);
    }

    void toggle(const Edge &edge) const noexcept
    {
        const Segment segment = segment_of(edge);
        if (segment.first >= segment.end)
            return;
        const auto [edge_x, edge_step, mask] = edge.stepping;
        /* Columns run one way along an edge: its ends tell whether all of it is inside. */
        const auto steps = static_cast<std::uint64_t>(segment.end - segment.first - 1);
        const std::uint64_t last_x = segment.x + steps * edge_step;
        if (segment.x >= width_ || last_x >= width_ || mask == 0) {
            toggle_outside(edge, segment, last_x);
            return;
        }
        /* Position in the buffer and column advance together. */
        const std::uint64_t step = edge_step + row_step_;
        const std::uint64_t x = segment.x + row_bit(segment.first) * one_column;
        const std::int64_t rows = segment.end - segment.first;
        const std::int64_t done = toggle_decided(bits_, x, step, mask, rows);
        if (done < rows)
            toggle_undecided(edge, segment, done);
    }

  private:
    /* Where row `row` of the image starts in the buffer. */
    std::uint64_t row_bit(std::int64_t row) const noexcept
    {
        return static_cast<std::uint64_t>(first_bit_ + (row - band_first_) * layout_.stride);
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
        for (std::int64_t row = from; row < end; row += 8) { /* beyond `end` for nothing */
            std::uint32_t columns[8];
            store(columns, crossings.columns(window.y(row)));
            for (int i = 0; i < 8 && row + i < end; ++i)
                toggle(row + i, columns[i]);
        }
    }

    /* The segment from its row number `done` on, which is near an integer. */
    [[gnu::noinline]] void toggle_undecided(const Edge &edge, const Segment &segment,
                                            std::int64_t done) const noexcept
    {
        const std::uint64_t step = edge.stepping.step + row_step_;
        const std::uint64_t first_x = segment.x + row_bit(segment.first) * one_column;
        const std::int64_t rows = segment.end - segment.first;
        for (std::int64_t near_integer = 1; done < rows; ++near_integer) {
            /* An edge that often runs near integers, such as a diagonal through the samples, is
             * faster without looking. */
            const std::int64_t next = 2 * near_integer > done ? rows : done + 1;
            toggle_by_formula(edge, segment.first + done, segment.first + next);
            const std::uint64_t x = first_x + static_cast<std::uint64_t>(next) * step;
            done = next + toggle_decided(bits_, x, step, edge.stepping.mask, rows - next);
        }
    }

    /* Rows that may leave the window's columns, and edges that cannot be stepped: one by one. */
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
    std::int64_t band_first_, band_end_, first_bit_;
    std::uint64_t row_step_, width_;
};

/* Strip by strip of columns, as a counting sort puts them: the few lines of the buffer that a strip
 * needs stay in the first cache. */
static void toggle_ordered(const Toggler &toggler, const EdgeTable &table, const Layout &layout,
                           const Band &band, const StripOrder &order) noexcept
{
    const std::int64_t strips = layout.strips();
    std::fill(order.starts, order.starts + strips + 1, 0);
    std::size_t count = 0;
    table.for_ranges(band.index, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t i = begin; i < end; ++i) {
            const Edge &edge = table.edge(i);
            const Segment segment = toggler.segment_of(edge);
            if (segment.first >= segment.end)
                continue;
            const auto half = static_cast<std::uint64_t>(segment.end - segment.first) / 2;
            const std::uint64_t middle = segment.x + half * edge.stepping.step;
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
        prefetch_to_read(&table.edge(order.sorted[std::min(i + 4, count - 1)]));
        toggler.toggle(table.edge(order.sorted[i]));
    }
}

static void toggle(const EdgeTable &table, const Layout &layout, const Band &band,
                   std::uint64_t *bits, const StripOrder &order) noexcept
{
    const Toggler toggler(table, layout, band, bits);
    if (layout.ordered) {
        toggle_ordered(toggler, table, layout, band, order);
    } else {
        table.for_ranges(band.index, [&](std::uint32_t begin, std::uint32_t end) {
            for (std::uint32_t i = begin; i < end; ++i)
                toggler.toggle(table.edge(i));
        });
    }
    for (const Sample &crossing : table.crossings(band.index))
        toggler.toggle(crossing);
}
