#include "polygon.hpp"

#include "inside_polygon.h"

#include <stdexcept>

namespace polymask
{

Polygon::Polygon(const double *vertices, std::ptrdiff_t n)
{
    if (n < 3)
        throw std::invalid_argument("a polygon needs at least 3 vertices");
    vertices_.assign(vertices, vertices + 2 * n);
}

void Polygon::fill(std::uint8_t *mask, std::ptrdiff_t rows, std::ptrdiff_t cols,
                   bool border_value) const noexcept
{
    const double *vertices = vertices_.data();
    const auto n = static_cast<std::ptrdiff_t>(vertices_.size() / 2);
    for (std::ptrdiff_t y = 0; y < rows; y++)
        for (std::ptrdiff_t x = 0; x < cols; x++)
            mask[y * cols + x] = static_cast<std::uint8_t>(
                inside_polygon(double(x), double(y), vertices, n, border_value));
}

} // namespace polymask
