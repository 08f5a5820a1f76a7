#include "edges.hpp"

#include <bit>
#include <utility>

#include "formula.hpp"

namespace polymask::detail
{

namespace
{

constexpr std::int64_t short_rows = 3;

/* An edge that spans 2^(l-1) + 1 .. 2^l bands has level l. */
std::size_t level_of(const Layout &layout, const Edge &edge) noexcept
{
    const std::int64_t last = std::int64_t{edge.first} + edge.rows - 1;
    return static_cast<std::size_t>(std::bit_width(
        static_cast<std::uint64_t>(layout.band_of(last) - layout.band_of(edge.first))));
}

/* A counting sort: those of key k come to lie at starts[k] .. starts[k + 1] - 1. */
template <class T, class Key>
void sort_by(Key key, std::size_t keys, std::unique_ptr<T[]> &items, std::size_t count,
             std::unique_ptr<std::uint32_t[]> &starts)
{
    starts = std::make_unique<std::uint32_t[]>(keys + 1);
    for (std::size_t i = 0; i < count; ++i)
        ++starts[key(items[i])];
    std::uint32_t start = 0;
    for (std::size_t k = 0; k <= keys; ++k)
        start += std::exchange(starts[k], start);
    if (keys == 1)
        return;
    auto sorted = std::make_unique_for_overwrite<T[]>(count);
    for (std::size_t i = 0; i < count; ++i)
        sorted[starts[key(items[i])]++] = items[i];
    /* each start has become the next one's */
    std::copy_backward(starts.get(), starts.get() + keys, starts.get() + keys + 1);
    starts[0] = 0;
    items = std::move(sorted);
}

} // namespace

EdgeTable::EdgeTable(const Polygon &polygon, const Window &window, const Layout &layout)
    : window(window), vertices(polygon.vertices.data()), bands_(layout.bands),
      levels_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(layout.bands - 1))) + 1)
{
    /* Room for the worst case: what is not written is not touched. */
    const std::size_t n = polygon.vertices.size() / 2;
    edges_ = std::make_unique_for_overwrite<Edge[]>(n);
    crossings_ = std::make_unique_for_overwrite<Sample[]>(short_rows * n);
    stamps_ = std::make_unique_for_overwrite<Sample[]>(n);
    collect(polygon, layout);
    const auto band = [&](std::int64_t row) {
        return static_cast<std::size_t>(layout.band_of(row));
    };
    const auto bands = static_cast<std::size_t>(bands_), levels = static_cast<std::size_t>(levels_);
    sort_by([&](const Edge &e) { return level_of(layout, e) * bands + band(e.first); },
            levels * bands, edges_, edge_count_, edge_starts_);
    sort_by([&](const Sample &s) { return band(s.row); }, bands, crossings_, crossing_count_,
            crossing_starts_);
}

void EdgeTable::collect(const Polygon &polygon, const Layout &layout) noexcept
{
    const double first_x = window.x(0), behind_x = window.x(window.cols);
    Edge *edge = edges_.get();
    Sample *crossing = crossings_.get(), *stamp = stamps_.get();

    const auto collect_ring = [&](std::uint32_t begin, std::uint32_t end) {
        std::uint32_t p1 = end - 1;
        double x1 = vertices[2 * std::size_t{p1}], y1 = vertices[2 * std::size_t{p1} + 1];
        std::int64_t row1 = window.rows_up_to(y1);
        for (std::uint32_t p2 = begin; p2 < end; ++p2) {
            const double x2 = vertices[2 * std::size_t{p2}], y2 = vertices[2 * std::size_t{p2} + 1];
            const std::int64_t row2 = window.rows_up_to(y2);
            if (row2 > 0 && window.y(row2 - 1) == y2) {
                const std::int64_t column = window.columns_up_to(x2) - 1;
                if (column >= 0 && window.x(column) == x2)
                    *stamp++ = {static_cast<std::uint32_t>(row2 - 1),
                                static_cast<std::uint32_t>(column)};
            }

            const std::int64_t first = std::min(row1, row2), rows = std::max(row1, row2) - first;
            if (rows > 0) {
                const auto add = [&](const Stepping &stepping) {
                    *edge++ = {stepping, static_cast<std::uint32_t>(first),
                               static_cast<std::uint32_t>(rows), p1, p2};
                };
                const double right = std::max(x1, x2);
                if (right < first_x) {
                    add(constant(0));
                } else if (x1 == x2) {
                    const std::int64_t columns = window.columns_up_to(x1);
                    if (layout.dense || columns < window.cols)
                        add(constant(columns));
                } else if (rows <= short_rows) {
                    for (std::int64_t row = first; row < first + rows; ++row)
                        *crossing++ = {static_cast<std::uint32_t>(row),
                                       static_cast<std::uint32_t>(
                                           crossing_column(window, window.y(row), x1, y1, x2, y2))};
                } else if (!can_step(x1, y1, x2, y2)) {
                    add(always_divide);
                } else if (std::min(x1, x2) < behind_x) {
                    add(stepping(window, first, rows, x1, y1, x2, y2));
                } else if (layout.dense) { /* the formula errs by less than a column here */
                    add(constant(window.cols));
                }
            }
            p1 = p2;
            x1 = x2;
            y1 = y2;
            row1 = row2;
        }
    };

    const auto count = static_cast<std::uint32_t>(polygon.vertices.size() / 2);
    const auto &starts = polygon.ring_starts;
    if (starts.empty())
        collect_ring(0, count);
    for (std::size_t i = 0; i < starts.size(); ++i)
        collect_ring(static_cast<std::uint32_t>(starts[i]),
                     i + 1 < starts.size() ? static_cast<std::uint32_t>(starts[i + 1]) : count);

    edge_count_ = static_cast<std::size_t>(edge - edges_.get());
    crossing_count_ = static_cast<std::size_t>(crossing - crossings_.get());
    stamp_count_ = static_cast<std::size_t>(stamp - stamps_.get());
}

} // namespace polymask::detail
