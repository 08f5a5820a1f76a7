#include "mask/bands.hpp"

#include <bit>
#include <cmath>

#include "kernels/formula.hpp"
#include "parallel/interrupt_poller.hpp"
#include "support/counting_sort.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

namespace
{

constexpr std::int64_t dense_cols = 2048;
constexpr std::int64_t small_buffer = std::int64_t{1} << 18; /* bits: 32 KiB, the first cache */
constexpr std::size_t many_vertices = 512;
constexpr std::int64_t least_band = 8, least_band_of_many = 64; /* rows */
/* Tiles are faster for edges that cross many rows, with many crossings per word of bits. */
constexpr double many_rows = 64, many_in_a_word = 4;
constexpr std::size_t least_of_tiles = 64;                   /* vertices */
constexpr std::int64_t tiles_buffer = std::int64_t{9} << 19; /* bits: 576 KiB */
constexpr int tall_band_shift = 10;
/* Vertices times rows of a band: random edges cross a third of the rows, in a tenth of a second.
 * Interruptions are polled between bands. */
constexpr std::size_t long_band = std::size_t{1} << 29;
constexpr int few_rows_shift = 8; /* then the cost of an edge per band is less than its crossings */

std::int64_t padded_stride(std::int64_t cols, std::int64_t pitch, bool packed) noexcept
{
    /* At least one word between rows; the low bits equal those of the output's pitch (Layout). */
    std::int64_t stride = cols + 64;
    stride += ((packed ? 0 : pitch) - stride) & 63;
    /* An odd number of cache lines, because rows a power of two apart would share a few sets. */
    while (stride > 512 && (stride >> 9) % 2 == 0)
        stride += 64;
    return stride;
}

std::int64_t tiled_stride(std::int64_t cols) noexcept
{
    /* Room for the bit after the last column, and for a shift by up to 63 bits; an odd number of
     * cache lines. */
    return 64 * ((cols / 64 + 2) | 1);
}

/* Estimates the mean number of rows that an edge crosses, from some of the edges. */
double rows_of_an_edge(const Window &window, std::span<const double> vertices) noexcept
{
    constexpr std::size_t enough = 64;
    const std::size_t n = vertices.size() / 2, step = n / enough | 1;
    const double top = window.y(0), bottom = window.y(window.rows);
    double rows = 0, edges = 0;
    for (std::size_t i = 1; i < n; i += step, ++edges)
        rows += std::fabs(std::clamp(finite(vertices[2 * i + 1]), top, bottom) -
                          std::clamp(finite(vertices[2 * i - 1]), top, bottom));
    return rows / edges;
}

bool wants_tiles(const Window &window, std::span<const double> vertices) noexcept
{
    const auto n = static_cast<double>(vertices.size() / 2),
               words = static_cast<double>(window.cols) / 64;
    if (vertices.size() / 2 < least_of_tiles || n < many_in_a_word * words)
        return false;
    const double rows = rows_of_an_edge(window, vertices);
    return rows >= many_rows &&
           n * rows >= many_in_a_word * words * static_cast<double>(window.rows);
}

} // namespace

Layout::Layout(const Window &window, std::int64_t row_bytes, bool in_bits,
               std::span<const double> vertices, int threads, bool can_tile) noexcept
    : rows(window.rows), cols(window.cols), pitch(row_bytes), packed(in_bits)
{
    const std::int64_t row_bits = packed ? (cols + 7) / 8 * 8 : cols;
    tiled = can_tile && wants_tiles(window, vertices);
    dense = !tiled && cols <= dense_cols && pitch == (packed ? row_bits / 8 : row_bits);
    stride = tiled ? tiled_stride(cols) : dense ? row_bits : padded_stride(cols, pitch, packed);

    /* Many edges need tall bands, as each edge costs a few nanoseconds per band; few edges need a
     * small buffer, which leaves the caches to the mask. */
    const bool many = tiled || vertices.size() / 2 >= many_vertices;
    const std::int64_t fitting = std::max((tiled ? tiles_buffer : small_buffer) / stride,
                                          many ? least_band_of_many : least_band);
    const auto floor_log2 = [](std::int64_t n) {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n))) - 1;
    };
    band_shift = std::min(floor_log2(fitting), floor_log2(2 * rows - 1));
    /* at most 24 bits before the point, which a row of tiles always has, and several bands per
     * thread */
    const auto too_tall = [&] {
        return tiled ? band_shift > tall_band_shift
                     : (stride << band_shift) > (std::int64_t{1} << 23);
    };
    const auto too_few = [&] { return threads > 1 && band_of(rows - 1) < 4 * threads - 1; };
    const auto too_long = [&] { return vertices.size() / 2 > (long_band >> band_shift); };
    while (band_shift > 0 && (too_tall() || (too_few() && band_shift > 3) ||
                              (too_long() && band_shift > few_rows_shift)))
        --band_shift;
    bands = band_of(rows - 1) + 1;
}

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

Sample sample(std::int64_t row, std::int64_t column) noexcept
{
    return {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(column)};
}

} // namespace

EdgeTable::EdgeTable(const Polygon &polygon, const Window &samples, const Layout &layout,
                     const Rule &rule)
    : window(samples), vertices(polygon.vertices.data()), bands_(layout.bands),
      levels_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(layout.bands - 1))) + 1)
{
    /* Room for the worst case; unused pages are never accessed. */
    const std::size_t n = polygon.vertices.size() / 2;
    edges_ = uninitialized<Edge>(n);
    crossings_ = uninitialized<Sample>(short_rows * n);
    stamps_ = uninitialized<Sample>(n);
    collect(polygon, layout, rule);
    const auto band = [&](std::int64_t row) {
        return static_cast<std::size_t>(layout.band_of(row));
    };
    const auto bands = static_cast<std::size_t>(bands_), levels = static_cast<std::size_t>(levels_);
    sort_by([&](const Edge &e) { return level_of(layout, e) * bands + band(e.first); },
            levels * bands, edges_, edge_count_, edge_starts_);
    sort_by([&](const Sample &s) { return band(s.row); }, bands, crossings_, crossing_count_,
            crossing_starts_);
}

void EdgeTable::collect(const Polygon &polygon, const Layout &layout, const Rule &rule)
{
    const bool watertight = rule.watertight, half_open = is_half_open(rule);
    const Window samples = window; /* a local copy, which no store below can alias */
    const bool dense = layout.dense;
    const double first_x = samples.x(0), behind_x = samples.x(samples.cols);
    Edge *edge = edges_.get();
    Sample *crossing = crossings_.get(), *stamp = stamps_.get();

    const auto vertex_at = [&](std::uint32_t index) {
        const double x = vertices[2 * std::size_t{index}], y = vertices[2 * std::size_t{index} + 1];
        return Vertex{x, y, samples.rows_up_to(y), lattice(x) | lattice(y), index};
    };

    const auto collect_stamp = [&](const Vertex &v) {
        const std::int64_t row = v.rows_up_to - 1;
        if (row < 0 || samples.y(row) != v.y)
            return;
        const std::int64_t column = samples.columns_up_to(v.x) - 1;
        if (column >= 0 && samples.x(column) == v.x)
            *stamp++ = sample(row, column);
    };

    const bool ends_exactly = watertight && half_open;
    const auto collect_edge = [&](const Vertex &v1, const Vertex &v2) {
        const std::int64_t first = std::min(v1.rows_up_to, v2.rows_up_to);
        std::int64_t rows = std::max(v1.rows_up_to, v2.rows_up_to) - first;
        if (rows == 0)
            return;
        if (ends_exactly && samples.y(first + rows - 1) == v2.y) {
            --rows;
            *crossing++ = sample(first + rows, samples.columns_up_to(v2.x));
            if (rows == 0)
                return;
        }
        const auto add = [&](const Stepping &stepping) {
            *edge++ = {stepping, static_cast<std::uint32_t>(first),
                       static_cast<std::uint32_t>(rows), v1.index, v2.index};
        };
        if (std::max(v1.x, v2.x) < first_x) {
            add(constant(0));
        } else if (v1.x == v2.x) {
            const std::int64_t columns = samples.columns_up_to(v1.x);
            if (dense || columns < samples.cols)
                add(constant(columns));
        } else if (rows <= short_rows) {
            for (std::int64_t row = first; row < first + rows; ++row)
                *crossing++ =
                    sample(row, crossing_column(samples, samples.y(row), v1.x, v1.y, v2.x, v2.y));
        } else if (!can_step(v1, v2)) {
            add(always_divide);
        } else if (std::min(v1.x, v2.x) < behind_x) {
            add(stepping(samples, first, rows, v1, v2));
        } else if (dense) { /* the error of the formula is less than a column here */
            add(constant(samples.cols));
        }
    };

    const auto collect_ring = [&](std::uint32_t begin, std::uint32_t end) {
        Vertex v1 = vertex_at(end - 1);
        for_each_interruptible(begin, end, [&](std::uint32_t i) {
            const Vertex v2 = vertex_at(i);
            if (!half_open)
                collect_stamp(v2);
            if (watertight && v2.y < v1.y)
                collect_edge(v2, v1);
            else
                collect_edge(v1, v2);
            v1 = v2;
        });
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

} // namespace polymask::inline POLYMASK_ABI::detail
