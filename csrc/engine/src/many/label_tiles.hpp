/* Which features are painted in which tile of an image, and in which order. */
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "many/feature_scanner.hpp"
#include "polymask/labels.hpp"
#include "support/array.hpp"

namespace polymask::detail
{

/* Tiles are rectangles of rows and columns, numbered row by row. One is small enough to stay in the
 * caches while it is painted, and so large that most features lie in one or two. */
class LabelTiles
{
  public:
    /* Throws std::bad_alloc. */
    LabelTiles(const Polygons &polygons, const Sampling &sampling, OnTop on_top, int threads);

    /* Features that are worth to be scanned once rather than in each tile, ascending. */
    std::span<const std::uint32_t> large() const noexcept { return large_; }

    std::int64_t count() const noexcept { return across_ * down_; }
    Box box(std::int64_t tile) const noexcept;
    /* Features of a tile, those that lie on top last. */
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

} // namespace polymask::detail
