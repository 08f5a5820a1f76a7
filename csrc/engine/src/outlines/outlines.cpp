/* Outlines: the public functions, and the choice of the type of pixels. */

#include "polymask/outlines.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "outlines/sweep.hpp"
#include "parallel/interrupt_poller.hpp"
#include "polymask/interruption.hpp"
#include "support/checks.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

using namespace detail;

void check_image(const LabelImage &image, const OutlineOptions &options)
{
    /* Beyond this, borders or centres of pixels at halves are not all exact as doubles. */
    constexpr std::int64_t most = (std::int64_t{1} << 31) - 2, most_offset = std::int64_t{1} << 51;
    const std::string shape =
        '(' + std::to_string(image.shape.rows) + ", " + std::to_string(image.shape.cols) + ')';
    if (image.shape.rows < 0 || image.shape.cols < 0)
        refuse("shape: rows and columns are at least 0, got " + shape);
    if (image.shape.rows > most || image.shape.cols > most)
        refuse("shape: at most 2^31 - 2 rows and columns, got " + shape);
    const int bytes = image.element_bytes;
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8)
        refuse("elements: of 1, 2, 4 or 8 bytes, got " + std::to_string(bytes));
    if (reinterpret_cast<std::uintptr_t>(image.data) % static_cast<unsigned>(bytes) != 0)
        refuse("elements: of " + std::to_string(bytes) + " bytes, at an address between them");
    if (image.row_stride < image.shape.cols)
        refuse("row_stride: at least the " + std::to_string(image.shape.cols) + " columns, got " +
               std::to_string(image.row_stride));
    if (image.shape.rows > 0 && image.shape.cols > 0) {
        const std::int64_t rest = std::numeric_limits<std::int64_t>::max() - image.shape.cols;
        if (image.shape.rows > 1 && image.row_stride > rest / (image.shape.rows - 1))
            refuse("row_stride: " + std::to_string(image.row_stride) +
                   " is beyond the address space");
        const std::int64_t needed = (image.shape.rows - 1) * image.row_stride + image.shape.cols;
        if (std::cmp_less(image.size, needed))
            refuse("elements: expected at least " + std::to_string(needed) + ", got " +
                   std::to_string(image.size));
    }
    for (const std::int64_t offset : {options.row_offset, options.column_offset})
        if (offset > most_offset || offset < -most_offset)
            refuse("offset: at most 2^51, got " + std::to_string(offset));
    if (options.connectivity != Connectivity::sides &&
        options.connectivity != Connectivity::corners)
        refuse("connectivity: 4 or 8, got " +
               std::to_string(static_cast<int>(options.connectivity)));
}

template <class T, class Cell, class CellOf>
TracedOutlines trace(const LabelImage &image, const OutlineOptions &options, const CellOf &cell)
{
    const ScopedRounding rounding;
    const bool empty = image.shape.rows == 0 || image.shape.cols == 0;
    Sweep<Cell> sweep(empty ? 0 : image.shape.cols);
    if (!empty) {
        const T *pixels = static_cast<const T *>(image.data);
        for (std::int64_t row = 0; row < image.shape.rows; ++row) {
            Interruption::stop_if_asked();
            sweep.row(pixels + row * image.row_stride, image.shape.cols, cell);
        }
        sweep.finish();
    }
    return outlines_of(sweep, options);
}

/* Calls `call` with a value of the element type of the image. */
template <class Call> TracedOutlines with_type(const LabelImage &image, const Call &call)
{
    switch (image.element_bytes) {
    case 1:
        return image.has_sign ? call(std::int8_t{}) : call(std::uint8_t{});
    case 2:
        return image.has_sign ? call(std::int16_t{}) : call(std::uint16_t{});
    case 4:
        return image.has_sign ? call(std::int32_t{}) : call(std::uint32_t{});
    default:
        return image.has_sign ? call(std::int64_t{}) : call(std::uint64_t{});
    }
}

Outlines written(const TracedOutlines &traced)
{
    Outlines outlines;
    outlines.vertices.resize(2 * static_cast<std::size_t>(traced.vertices()));
    outlines.ring_offsets.resize(static_cast<std::size_t>(traced.rings()) + 1);
    outlines.polygon_offsets.resize(static_cast<std::size_t>(traced.polygons()) + 1);
    outlines.labels.resize(static_cast<std::size_t>(traced.polygons()));
    traced.write(outlines.vertices, outlines.ring_offsets, outlines.polygon_offsets,
                 outlines.labels);
    return outlines;
}

} // namespace

Outlines detail::outlines_of_runs(std::span<const Run> runs)
{
    const auto end_of_row = [&](std::size_t i) {
        const std::int64_t row = runs[i].row;
        while (i < runs.size() && runs[i].row == row)
            ++i;
        return i;
    };
    std::int64_t left = runs[0].start, right = runs[0].stop;
    std::size_t most = 0; /* in a row */
    for (std::size_t i = 0, end; i < runs.size(); i = end) {
        end = end_of_row(i);
        most = std::max(most, end - i);
        left = std::min(left, runs[i].start);
        right = std::max(right, runs[end - 1].stop);
    }
    const std::int64_t top = runs[0].row, height = runs.back().row - top + 1, width = right - left;
    OutlineOptions options;
    options.row_offset = top;
    options.column_offset = left;
    constexpr std::size_t any = std::numeric_limits<std::size_t>::max();
    check_image(LabelImage(nullptr, any, 1, false, {height, width}, width), options);
    const ScopedRounding rounding;
    Sweep<MaskCell> sweep(2 * static_cast<std::int64_t>(most));
    InterruptPoller poller;
    for (std::size_t i = 0, end; i < runs.size(); i = end) {
        end = end_of_row(i);
        poller.count(static_cast<std::int64_t>(end - i));
        sweep.row(runs[i].row - top, runs.subspan(i, end - i), left);
    }
    sweep.finish();
    return written(outlines_of(sweep, options));
}

TracedOutlines trace_mask(const LabelImage &mask, const OutlineOptions &options)
{
    check_image(mask, options);
    return with_type(mask, [&]<class T>(T) {
        return trace<T, MaskCell>(mask, options, [](T value) { return MaskCell{value != 0}; });
    });
}

TracedOutlines trace_labels(const LabelImage &labels, std::optional<std::int64_t> background,
                            const OutlineOptions &options)
{
    check_image(labels, options);
    const auto outside = static_cast<std::uint64_t>(background.value_or(0));
    const bool has_background = background.has_value();
    return with_type(labels, [&]<class T>(T) {
        return trace<T, LabelCell>(labels, options, [=](T value) {
            const auto bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
            return has_background && bits == outside ? LabelCell{} : LabelCell{bits, true};
        });
    });
}

Outlines mask_to_rings(const LabelImage &mask, const OutlineOptions &options)
{
    return written(trace_mask(mask, options));
}

Outlines labels_to_rings(const LabelImage &labels, std::optional<std::int64_t> background,
                         const OutlineOptions &options)
{
    return written(trace_labels(labels, background, options));
}

} // namespace polymask::inline POLYMASK_ABI
