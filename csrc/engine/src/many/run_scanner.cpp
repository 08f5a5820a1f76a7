#include "many/run_scanner.hpp"

#include <cstdlib>
#include <functional>
#include <limits>

#include "mask/bands.hpp"
#include "mask/window.hpp"
#include "polymask/interruption.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

namespace
{

/* The maximum number of crossings in memory for a sort. */
constexpr std::int64_t many_crossings = std::int64_t{1} << 26;

} // namespace

void RunScanner::collect_stamps()
{
    const std::span<const double> vertices = polygon_vertices();
    for_each_interruptible(std::size_t{0}, vertices.size() / 2, [&](std::size_t i) {
        const double x = vertices[2 * i], y = vertices[2 * i + 1];
        const Column row = vertex_rows_.get()[i] - 1;
        if (row < 0 || window_.y(row) != y)
            return;
        const std::int64_t column = window_.columns_up_to(x) - 1;
        if (column >= 0 && window_.x(column) == x)
            stamps_.push_back(
                {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)});
    });
    sort_interruptible(stamps_.begin(), stamps_.end(), [](const Sample &a, const Sample &b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    const auto behind =
        std::unique(stamps_.begin(), stamps_.end(), [](const Sample &a, const Sample &b) {
            return a.row == b.row && a.column == b.column;
        });
    stamps_.erase(behind, stamps_.end());
}

bool RunScanner::prepare(const Polygons &polygons, std::int64_t polygon, const Window &window,
                         const Rule &rule)
{
    polygons_ = &polygons;
    rule_ = rule;
    rings_ = polygons.rings_of(polygon);
    stamps_.clear();
    next_stamp_ = 0;
    if (rings_.size() == 0)
        return false;
    window_ = window;
    first_vertex_ = polygons.vertices_of(rings_.first).first;
    vertex_count_ = polygons.vertices_of(rings_.end - 1).end - first_vertex_;
    double *const vertices = vertices_.room_for(2 * static_cast<std::size_t>(vertex_count_));
    Column *const rows = vertex_rows_.room_for(static_cast<std::size_t>(vertex_count_));

    if (kernels_.vertex_rows(window, polygons.vertices.data() + 2 * first_vertex_, vertex_count_,
                             vertices, rows) &&
        !is_half_open(rule))
        collect_stamps();
    const auto [least, largest] = std::minmax_element(rows, rows + vertex_count_);
    Column low = *least, high = *largest;
    bottom_ = high;
    crossings_ = 0;
    if (low < high)
        for_edges(
            [&](std::int64_t i1, std::int64_t i2) { crossings_ += std::abs(rows[i2] - rows[i1]); });
    is_two_chains_ = rings_.size() == 1 && crossings_ == 2 * std::int64_t{high - low} &&
                     high - low <= chunk_rows;
    if (!stamps_.empty()) {
        low = std::min(low, static_cast<Column>(stamps_.front().row));
        high = std::max(high, static_cast<Column>(stamps_.back().row) + 1);
    }
    low_ = low;
    high_ = high;
    chunk_ = crossings_ <= many_crossings ? chunk_rows
                                          : static_cast<Column>(std::clamp<std::int64_t>(
                                                many_crossings / vertex_count_, 1, chunk_rows));
    return low < high;
}

Boundaries RunScanner::stamped(std::int64_t row, Boundaries boundaries)
{
    const bool value = border_value(rule_);
    const std::size_t first = next_stamp_;
    while (next_stamp_ < stamps_.size() && stamps_[next_stamp_].row == row)
        ++next_stamp_;
    const std::size_t end = next_stamp_;
    Column *const begin = row_.room_for(boundaries.size() + 2 * (end - first));
    Column *behind = std::copy(boundaries.begin(), boundaries.end(), begin);
    const auto toggle = [&](Column column) {
        Column *const place = std::lower_bound(begin, behind, column);
        if (place != behind && *place == column) {
            behind = std::copy(place + 1, behind, place);
        } else {
            std::copy_backward(place, behind, behind + 1);
            *place = column;
            ++behind;
        }
    };
    for (std::size_t i = first; i < end; ++i) {
        const auto column = static_cast<Column>(stamps_[i].column);
        const bool inside = (std::upper_bound(begin, behind, column) - begin) % 2 != 0;
        if (inside != value) {
            toggle(column);
            toggle(column + 1);
        }
    }
    return {begin, behind};
}

/* Sorting k columns takes about k^2 / 6 ns; with bits, a column takes 1 ns, and a row of a band
 * cols / 200 ns. */
bool RunScanner::wants_bits() noexcept
{
    const std::int64_t rows = high_ - low_;
    if (crossings_ < 4096 || crossings_ / rows < 12)
        return false;
    const Box box = box_of(Extent(polygon_vertices()), window_);
    left_ = static_cast<Column>(box.left);
    right_ = static_cast<Column>(box.right);
    const std::int64_t columns = right_ - left_, in_a_row = crossings_ / rows;
    return columns > 0 && columns <= Layout::max_cols && rows <= Layout::max_rows &&
           36 * in_a_row * in_a_row > columns;
}

void RunScanner::sort_many(Column *columns, std::size_t count)
{
    sort_interruptible(columns, columns + count, std::less<>());
}

void RunScanner::scan_bands(BandRows &visitor)
{
    const Window window = {high_ - low_, right_ - left_, window_.row_offset + low_,
                           window_.column_offset + left_, window_.half};
    std::vector<std::int64_t> ring_starts;
    for (std::int64_t ring = rings_.first; ring < rings_.end; ++ring)
        ring_starts.push_back(polygons_->vertices_of(ring).first - first_vertex_);
    const Polygon polygon = {polygon_vertices(), ring_starts};
    /* Packed, without an output: rows are padded to whole words. */
    const Layout layout(window, 0, true, polygon.vertices, 1, kernels_.has_tiles);
    const EdgeTable table(polygon, window, layout, rule_);
    const Array<std::uint64_t> bits = workspace(layout);
    const std::int64_t words = window.cols / 64 + 1;
    Column *const columns = columns_.room_for(static_cast<std::size_t>(64 * (words + 1)));
    const auto last = static_cast<Column>(right_);
    for (std::int64_t index = 0; index < layout.bands; ++index) {
        Interruption::stop_if_asked();
        const Band band(layout, index, nullptr);
        kernels_.toggle(table, layout, band, bits.get());
        for (std::int64_t i = 0; i < band.rows; ++i) {
            std::uint64_t *const run = kernels_.take_run(bits.get(), layout, band, i);
            std::size_t count = kernels_.take_bits(run, words, left_, columns);
            /* toggles after the last column may be missing */
            if (count % 2 != 0) {
                if (columns[count - 1] == last)
                    --count;
                else
                    columns[count++] = last;
            }
            Boundaries boundaries(columns, count);
            const std::int64_t row = low_ + band.first + i;
            if (is_stamped(static_cast<Column>(row)))
                boundaries = stamped(row, boundaries);
            if (!boundaries.empty())
                visitor.row(row, boundaries);
        }
    }
}

} // namespace polymask::inline POLYMASK_ABI::detail
