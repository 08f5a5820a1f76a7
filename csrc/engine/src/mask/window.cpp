#include "mask/window.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace polymask::detail
{

namespace
{

/* Returns the sum of coordinates if that is wanted: it would cost a small polygon a fifth more. */
template <bool adds> double read(Extent &extent, std::span<const double> vertices) noexcept
{
    /* Independent lanes: x and y of four vertices. */
    constexpr std::size_t lanes = 8;
    double low[lanes], high[lanes], sum[lanes] = {};
    std::fill_n(low, lanes, std::numeric_limits<double>::infinity());
    std::fill_n(high, lanes, -std::numeric_limits<double>::infinity());
    const std::size_t whole = vertices.size() / lanes * lanes;
    const double *v = vertices.data();
    for (std::size_t i = 0; i < whole; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            low[lane] = v[i + lane] < low[lane] ? v[i + lane] : low[lane];
            high[lane] = v[i + lane] > high[lane] ? v[i + lane] : high[lane];
            if constexpr (adds)
                sum[lane] += v[i + lane];
        }
    }
    for (std::size_t i = whole; i < vertices.size(); ++i) {
        low[i % lanes] = std::min(low[i % lanes], v[i]);
        high[i % lanes] = std::max(high[i % lanes], v[i]);
        if constexpr (adds)
            sum[i % lanes] += v[i];
    }
    extent = {};
    for (std::size_t lane = 0; lane < lanes; lane += 2) {
        extent.left = std::min(extent.left, low[lane]);
        extent.top = std::min(extent.top, low[lane + 1]);
        extent.right = std::max(extent.right, high[lane]);
        extent.bottom = std::max(extent.bottom, high[lane + 1]);
    }
    return adds ? std::accumulate(std::begin(sum), std::end(sum), 0.0) : 0;
}

} // namespace

Extent::Extent(std::span<const double> vertices) noexcept
{
    read<false>(*this, vertices);
}

double Extent::set_and_add(std::span<const double> vertices) noexcept
{
    return read<true>(*this, vertices);
}

Box box_of(const Extent &extent, const Window &window) noexcept
{
    const std::int64_t top = window.rows_up_to(extent.top);
    Box box;
    box.top = top > 0 && window.y(top - 1) == extent.top ? top - 1 : top;
    box.bottom = std::max(window.rows_up_to(extent.bottom), box.top);
    box.left = !is_certain(extent) ? 0 : window.columns_up_to(extent.left - 1);
    box.right = std::max(window.columns_up_to(extent.right), box.left);
    return box;
}

bool is_certain(const Extent &extent) noexcept
{
    return std::max({-extent.left, -extent.top, extent.right, extent.bottom}) <= certain;
}

Box box_in_any(const Extent &extent, const Window &window) noexcept
{
    if (!window.is_far())
        return box_of(extent, window);
    if (!is_certain(extent))
        return {0, window.rows, 0, window.cols};
    const auto [top, bottom] = Window::near(window.row_offset, window.rows);
    const auto [left, right] = Window::near(window.column_offset, window.cols);
    if (top == bottom || left == right)
        return {};
    const Box box = box_of(extent, {bottom - top, right - left, window.row_offset + top,
                                    window.column_offset + left, window.half});
    return {top + box.top, top + box.bottom, left + box.left, left + box.right};
}

Box touched_box_of(const Extent &extent, const Window &window) noexcept
{
    if (window.rows == 0 || window.cols == 0) /* at any offset */
        return {};
    const double shift = 0.5 - window.half; /* from samples to the preceding borders */
    const auto place = [&](double v, std::int64_t offset, std::int64_t size) {
        const auto first = static_cast<double>(offset);
        const double near = std::min(std::max(v, first - 4), first + static_cast<double>(size) + 4);
        return std::min(std::max(floor_of(near) - offset, std::int64_t{0}), size);
    };
    return {place(extent.top + shift - 1, window.row_offset, window.rows),
            place(extent.bottom + shift + 2, window.row_offset, window.rows),
            place(extent.left + shift - 1, window.column_offset, window.cols),
            place(extent.right + shift + 2, window.column_offset, window.cols)};
}

} // namespace polymask::detail
