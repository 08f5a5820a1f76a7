/* The rings of a polygon, one by one. */
#pragma once

#include <cstddef>
#include <span>

#include "polymask/polymask.hpp"

namespace polymask::detail
{

inline std::size_t ring_count(const Polygon &polygon) noexcept
{
    return polygon.ring_starts.empty() ? 1 : polygon.ring_starts.size();
}

/* x0, y0, x1, y1, ... of one ring. */
inline std::span<const double> ring_of(const Polygon &polygon, std::size_t index) noexcept
{
    const auto &[vertices, starts] = polygon;
    const std::size_t begin = starts.empty() ? 0 : static_cast<std::size_t>(starts[index]),
                      end = index + 1 < starts.size() ? static_cast<std::size_t>(starts[index + 1])
                                                      : vertices.size() / 2;
    return vertices.subspan(2 * begin, 2 * (end - begin));
}

} // namespace polymask::detail
