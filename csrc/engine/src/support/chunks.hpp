/* How threads share the features of one call. */
#pragma once

#include <algorithm>
#include <cstdint>

#include "parallel/threads.hpp"
#include "polymask/polygons.hpp"
#include "support/checks.hpp"

namespace polymask::detail
{

/* What a call with many polygons and a window asks for. */
inline void check(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                  const Options &options)
{
    polymask::check(polygons);
    check_window(rows, cols, options.row_offset, options.column_offset);
    check_threads(options.threads);
    if (options.touched)
        check_near(rows, cols, options.row_offset, options.column_offset);
}

/* Ranges of features, some for each thread to take. */
class Chunks
{
  public:
    Chunks(std::int64_t features, int threads) noexcept
        : features_(features),
          size_(threads == 1 ? std::max(features, std::int64_t{1})
                             : std::clamp<std::int64_t>(features / (16 * threads), 1, 4096))
    {
    }
    std::int64_t count() const noexcept { return (features_ + size_ - 1) / size_; }
    Polygons::Range operator[](std::int64_t index) const noexcept
    {
        return {index * size_, std::min((index + 1) * size_, features_)};
    }

  private:
    std::int64_t features_, size_;
};

/* A vertex's edge has some rows, each for some nanoseconds. */
inline int threads_for(const Polygons &polygons, const Options &options) noexcept
{
    return choose_threads(options.threads, static_cast<double>(polygons.vertices.size()) * 0.01);
}

} // namespace polymask::detail
