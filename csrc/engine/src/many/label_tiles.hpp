/* The features to paint in each tile of an image, and their order. */
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "many/features.hpp"
#include "polymask/labels.hpp"
#include "support/array.hpp"

namespace polymask::detail
{

/* Tiles are rectangles of rows and columns, numbered row by row. A tile is small enough to stay in
 * the caches while it is painted, but so large that most features lie in one or two. */
class LabelTiles
{
  public:
    /* Throws std::bad_alloc. */
    LabelTiles(const Polygons &polygons, const Sampling &sampling, OnTop on_top, int threads);

    /* Features that should be scanned once instead of in each tile, ascending. */
    std::span<const std::uint32_t> large() const noexcept { return large_; }

    std::int64_t count() const noexcept { return across_ * down_; }
    Box box(std::int64_t tile) const noexcept;
    /* Features of a tile, from bottom to top. */
    std::span<const std::uint32_t> features(std::int64_t tile) const noexcept
    {
        const std::int64_t *bounds = starts_.get() + tile;
        const std::int64_t first = bounds[0], end = bounds[1];
        return {features_.get() + first, static_cast<std::size_t>(end - first)};
    }

  private:
    void choose_size(std::span<const Box> boxes, int threads) noexcept;
    template <class Visit> void for_tiles(const Box &box, Visit visit) const
    {
        if (box.top >= box.bottom || box.left >= box.right)
            return;
        for (std::int64_t i = box.top / tile_rows_; i <= (box.bottom - 1) / tile_rows_; ++i)
            for (std::int64_t j = box.left / tile_cols_; j <= (box.right - 1) / tile_cols_; ++j)
                visit(i * across_ + j);
    }

    std::int64_t rows_, cols_, tile_rows_, tile_cols_, across_, down_;
    Array<std::int64_t> starts_;
    Array<std::uint32_t> features_;
    std::vector<std::uint32_t> large_;
};

/* The runs of large features, which would cost more to scan again in each tile. */
class StoredRuns
{
  public:
    struct Span {
        Column row, start, stop;
    };

    /* Must be called for features in ascending order. Omits a feature with too many runs, and all
     * features in a window that is too large for Span. Throws std::bad_alloc. */
    void add(FeatureScanner &scanner, const Polygons &polygons, std::uint32_t feature,
             const Sampling &sampling)
    {
        constexpr std::int64_t most = std::int64_t{1} << 23; /* of all features: 100 MB */
        const Window &window = sampling.window;
        if (sampling.is_far_out || window.rows > RunScanner::most || window.cols > RunScanner::most)
            return;
        const auto stored = static_cast<std::int64_t>(spans_.size());
        if (scanner.most_runs(polygons, feature, sampling) > most - stored)
            return;
        scanner.scan(polygons, feature, sampling, [&](std::int64_t row, const auto &boundaries) {
            for (std::size_t i = 0; i < boundaries.size(); i += 2)
                spans_.push_back({static_cast<Column>(row), static_cast<Column>(boundaries[i]),
                                  static_cast<Column>(boundaries[i + 1])});
        });
        features_.push_back({feature, spans_.size()});
    }

    bool has(std::uint32_t feature) const noexcept
    {
        if (features_.empty()) [[likely]]
            return false;
        const auto found = find(feature);
        return found != features_.end() && found->feature == feature;
    }

    /* Calls visit(row, start, stop) for the parts of a feature's runs in a box, relative to the
     * corner of the box. */
    template <class Visit> void for_runs(std::uint32_t feature, const Box &box, Visit visit) const
    {
        const auto found = find(feature);
        const std::size_t first = found == features_.begin() ? 0 : (found - 1)->end;
        const auto spans = std::span<const Span>(spans_).subspan(first, found->end - first);
        auto span = std::lower_bound(spans.begin(), spans.end(), box.top,
                                     [](const Span &a, std::int64_t row) { return a.row < row; });
        for (; span != spans.end() && span->row < box.bottom; ++span) {
            const std::int64_t start = std::max<std::int64_t>(span->start, box.left),
                               stop = std::min<std::int64_t>(span->stop, box.right);
            if (start < stop)
                visit(span->row - box.top, start - box.left, stop - box.left);
        }
    }

  private:
    struct Feature {
        std::uint32_t feature;
        std::size_t end; /* of its spans */
    };
    std::vector<Feature>::const_iterator find(std::uint32_t feature) const noexcept
    {
        return std::lower_bound(
            features_.begin(), features_.end(), feature,
            [](const Feature &a, std::uint32_t number) { return a.feature < number; });
    }
    std::vector<Feature> features_;
    std::vector<Span> spans_;
};

} // namespace polymask::detail
