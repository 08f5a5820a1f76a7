/* Checks of the public functions: they throw std::invalid_argument with the first error. */
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

#include "mask/window.hpp"
#include "polymask/polymask.hpp"

namespace polymask::detail
{

constexpr std::size_t max_vertices = std::size_t{1} << 30; /* of one polygon */

[[noreturn]] void refuse(const std::string &message);

/* An output whose size the caller cannot know is too small. */
struct TooSmall : std::invalid_argument {
    TooSmall(const char *name, std::int64_t needed_size, std::size_t size, const char *unit);
    std::int64_t needed;
};

/* x0, y0, ...: pairs, all of them finite. Returns their extent. */
Extent check_vertices(std::span<const double> vertices);
Extent check(const Polygon &polygon);
/* rows, cols, and the last samples with offsets fit in 64 bits. */
void check_window(std::int64_t rows, std::int64_t cols, std::int64_t row_offset,
                  std::int64_t column_offset);
/* Samples and borders of squares are exact, because none lies beyond 2^50. */
void check_near(std::int64_t rows, std::int64_t cols, std::int64_t row_offset,
                std::int64_t column_offset);
/* Throws unless a value is one of an enum that ends with `last`. */
void check_value(const char *name, std::int64_t value, std::int64_t last);
template <class Enum> void check_enum(const char *name, Enum value, Enum last)
{
    check_value(name, static_cast<std::int64_t>(value), static_cast<std::int64_t>(last));
}
/* The number of threads, and the enumerators that choose_kernels() does not check. */
void check_options(const Options &options);
/* An output has rows of `row_size` elements, `stride` apart if that is not 0. */
void check_out(std::size_t size, std::int64_t rows, std::int64_t row_size, std::int64_t stride,
               const char *unit = "bytes");
void check_size(const char *name, std::size_t size, std::int64_t expected,
                const char *unit = "bytes");

} // namespace polymask::detail
