#include "many/label_tiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "mask/window.hpp"
#include "parallel/parallel_for.hpp"

namespace polymask::detail
{

namespace
{

/* Returns all vertices of a feature, which are contiguous. */
std::span<const double> vertices_of(const Polygons &polygons, std::int64_t feature) noexcept
{
    const auto ring_range = [&](Polygons::Range of) -> Polygons::Range {
        return {polygons.rings_of(of.first).first, polygons.rings_of(of.end - 1).end};
    };
    const Polygons::Range of = polygons.polygons_of(feature);
    if (of.size() == 0)
        return {};
    const Polygons::Range rings = ring_range(of);
    if (rings.size() == 0)
        return {};
    const std::int64_t first = polygons.vertices_of(rings.first).first,
                       end = polygons.vertices_of(rings.end - 1).end;
    return polygons.vertices.subspan(2 * static_cast<std::size_t>(first),
                                     2 * static_cast<std::size_t>(end - first));
}

double area_of_ring(const Polygons &polygons, std::int64_t ring) noexcept
{
    const auto [first, end] = polygons.vertices_of(ring);
    const double *v = polygons.vertices.data();
    const double x0 = v[2 * first], y0 = v[2 * first + 1];
    double twice = 0;
    for (std::int64_t i = first + 1; i + 1 < end; ++i)
        twice += (v[2 * i] - x0) * (v[2 * i + 3] - y0) - (v[2 * i + 2] - x0) * (v[2 * i + 1] - y0);
    return std::fabs(twice) / 2;
}

double area_of(const Polygons &polygons, std::int64_t feature) noexcept
{
    double area = 0;
    const auto [first_polygon, end_polygon] = polygons.polygons_of(feature);
    for (std::int64_t polygon = first_polygon; polygon < end_polygon; ++polygon) {
        const auto [first, end] = polygons.rings_of(polygon);
        for (std::int64_t ring = first; ring < end; ++ring)
            area += ring == first ? area_of_ring(polygons, ring) : -area_of_ring(polygons, ring);
    }
    return std::isnan(area) ? std::numeric_limits<double>::infinity() : area;
}

/* Returns the features in the order of painting; empty for their natural order. */
std::vector<std::uint32_t> painting_order(const Polygons &polygons, OnTop on_top)
{
    std::vector<std::uint32_t> order;
    if (on_top == OnTop::last)
        return order;
    order.resize(static_cast<std::size_t>(polygons.features()));
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    if (on_top == OnTop::first) {
        std::reverse(order.begin(), order.end());
        return order;
    }
    std::vector<double> areas(order.size());
    for (const std::uint32_t feature : order)
        areas[feature] = area_of(polygons, feature);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return areas[a] != areas[b] ? areas[a] > areas[b] : a < b;
    });
    return order;
}

} // namespace

LabelTiles::LabelTiles(const Polygons &polygons, const Sampling &sampling, OnTop on_top,
                       int threads)
    : rows_(sampling.window.rows), cols_(sampling.window.cols)
{
    const auto count = static_cast<std::size_t>(polygons.features());
    std::vector<Box> boxes(count);
    const Chunks chunks(polygons.features(), threads);
    parallel_for(threads, chunks.count(), [&] {
        return [&](std::int64_t index) {
            const auto [first, end] = chunks[index];
            for (std::int64_t i = first; i < end; ++i)
                if (const auto vertices = vertices_of(polygons, i); !vertices.empty())
                    boxes[static_cast<std::size_t>(i)] = sampling.box(Extent(vertices));
        };
    });
    choose_size(boxes, threads);
    /* From here on, the boxes count tiles, of which each meets its feature. The counting sort keeps
     * the order. */
    const std::int64_t tiles = this->count();
    starts_ = std::make_unique<std::int64_t[]>(static_cast<std::size_t>(tiles) + 2);
    std::int64_t *const places = starts_.get() + 1;
    constexpr std::int64_t much = 1 << 17; /* vertices, about 0.2 ms */
    for (std::size_t i = 0; i < count; ++i) {
        Box &box = boxes[i];
        box = tiles_of(box);
        for_tiles(box, [&](std::int64_t tile) { ++places[tile + 1]; });
        const std::int64_t met = box.rows() * box.cols();
        if (met < 4)
            continue;
        const auto vertices = vertices_of(polygons, static_cast<std::int64_t>(i)).size() / 2;
        if (static_cast<std::int64_t>(vertices) >= much / met)
            large_.push_back(static_cast<std::uint32_t>(i));
    }
    for (std::int64_t tile = 1; tile <= tiles; ++tile)
        places[tile] += places[tile - 1];
    features_ = uninitialized<std::uint32_t>(static_cast<std::size_t>(places[tiles]));
    const std::vector<std::uint32_t> order = painting_order(polygons, on_top);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t feature = order.empty() ? static_cast<std::uint32_t>(i) : order[i];
        for_tiles(boxes[feature],
                  [&](std::int64_t tile) { *(features_.get() + places[tile]++) = feature; });
    }
    /* each place has moved to the start of the next tile */
}

Box LabelTiles::box(std::int64_t tile) const noexcept
{
    const std::int64_t top = tile / across_ * tile_rows_, left = tile % across_ * tile_cols_;
    return {top, top + std::min(tile_rows_, rows_ - top), left,
            left + std::min(tile_cols_, cols_ - left)};
}

void LabelTiles::choose_size(std::span<const Box> boxes, int threads) noexcept
{
    double rows = 0, cols = 0, count = 0;
    for (const Box &box : boxes) {
        if (box.top < box.bottom && box.left < box.right) {
            rows += static_cast<double>(box.rows());
            cols += static_cast<double>(box.cols());
            ++count;
        }
    }
    tile_rows_ = 256;
    tile_cols_ = 1024;
    const auto twice = [](std::int64_t tile, std::int64_t size) {
        return tile > size / 2 ? size : 2 * tile; /* doubling a large tile could exceed 64 bits */
    };
    while (tile_rows_ < rows_ && static_cast<double>(tile_rows_) * count < 4 * rows)
        tile_rows_ = twice(tile_rows_, rows_);
    while (tile_cols_ < cols_ && static_cast<double>(tile_cols_) * count < 4 * cols)
        tile_cols_ = twice(tile_cols_, cols_);
    const auto tiles = [](std::int64_t size, std::int64_t tile) {
        return size / tile + (size % tile != 0);
    };
    const auto all = [&] { return tiles(rows_, tile_rows_) * tiles(cols_, tile_cols_); };
    constexpr std::int64_t most = 1 << 16;
    while (all() > most) {
        if (tile_rows_ < rows_)
            tile_rows_ = twice(tile_rows_, rows_);
        else
            tile_cols_ = twice(tile_cols_, cols_);
    }
    /* enough tiles for all threads */
    while (threads > 1 && all() < 8 * threads && tile_rows_ > 16)
        tile_rows_ /= 2;
    across_ = tiles(cols_, tile_cols_);
    down_ = tiles(rows_, tile_rows_);
}

} // namespace polymask::detail
