// A polygon that owns its vertices: the C++ class that cclass.cpp wraps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace polymask
{

class Polygon
{
  public:
    // Copies the coordinates x0, y0, x1, y1, ... of n vertices, n >= 3, so that the object does not
    // need the caller's array. Throws std::bad_alloc, and std::invalid_argument for n < 3.
    Polygon(const double *vertices, std::ptrdiff_t n);

    // Writes rows * cols bytes, 0 or 1: mask[y * cols + x].
    void fill(std::uint8_t *mask, std::ptrdiff_t rows, std::ptrdiff_t cols,
              bool border_value) const noexcept;

  private:
    std::vector<double> vertices_;
};

} // namespace polymask
