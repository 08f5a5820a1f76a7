#include "polymask/crops.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "parallel/interrupt_poller.hpp"
#include "parallel/parallel_for.hpp"
#include "support/checks.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

using namespace detail;

/* Returns the start of each box's mask, and the end of the last one. */
std::vector<std::int64_t> places_of(std::span<const Box> boxes, Shape shape)
{
    const auto [rows, cols] = shape;
    std::vector<std::int64_t> places = {0};
    places.reserve(boxes.size() + 1);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        const auto &[top, bottom, left, right] = boxes[i];
        if (top < 0 || left < 0 || top > bottom || left > right || bottom > rows || right > cols)
            refuse("boxes: box " + std::to_string(i) + ", rows " + std::to_string(top) + " to " +
                   std::to_string(bottom) + " and columns " + std::to_string(left) + " to " +
                   std::to_string(right) + ", exceeds the image (" + std::to_string(rows) + ", " +
                   std::to_string(cols) + ")");
        const std::int64_t size = boxes[i].rows() * boxes[i].cols();
        if (size > std::numeric_limits<std::int64_t>::max() - places.back())
            refuse("boxes: their pixels exceed the address space");
        places.push_back(places.back() + size);
    }
    return places;
}

} // namespace

MaskCropper::MaskCropper(const Polygons &polygons, const Grid &grid, const Selection &selection,
                         const Work &work)
    : polygons_(polygons), grid_(grid), selection_(selection), work_(work)
{
    check(polygons, grid, selection, work);
    choose_kernels(work.instruction_set); /* throws if it is unavailable */
}

void MaskCropper::boxes(std::span<Box> out) const
{
    const ScopedRounding rounding;
    check_size("boxes", out.size(), polygons_.features(), "elements");
    const Kernels &kernels = choose_kernels(work_.instruction_set);
    const Sampling sampling(grid_, selection_);
    const int threads = threads_for(polygons_, work_);
    const Chunks chunks(polygons_.features(), threads);
    parallel_for({threads, work_.executor}, chunks.count(), [&] {
        return [&, scanner = FeatureScanner(kernels)](std::int64_t index) mutable {
            const auto [first, end] = chunks[index];
            for (std::int64_t feature = first; feature < end; ++feature) {
                Box box = {0, 0, grid_.shape.cols, 0};
                scanner.scan(polygons_, feature, sampling,
                             [&](std::int64_t row, const auto &boundaries) {
                                 if (box.bottom == 0)
                                     box.top = row;
                                 box.bottom = row + 1;
                                 box.left = std::min<std::int64_t>(box.left, boundaries.front());
                                 box.right = std::max<std::int64_t>(box.right, boundaries.back());
                             });
                out[static_cast<std::size_t>(feature)] = box.bottom > 0 ? box : Box{};
            }
        };
    });
}

void MaskCropper::fill(std::int64_t first, std::span<const Box> boxes, std::span<std::uint8_t> out,
                       bool out_is_zero) const
{
    const ScopedRounding rounding;
    const auto count = static_cast<std::int64_t>(boxes.size());
    if (first < 0 || first > polygons_.features() - count)
        refuse("features: " + std::to_string(count) + " from " + std::to_string(first) +
               " on, of " + std::to_string(polygons_.features()));
    const auto places = places_of(boxes, grid_.shape);
    check_size("out", out.size(), places.back());
    const Kernels &kernels = choose_kernels(work_.instruction_set);
    const Sampling sampling(grid_, selection_);
    const double vertices = static_cast<double>(polygons_.vertices.size()) /
                            static_cast<double>(std::max<std::int64_t>(polygons_.features(), 1));
    const int threads =
        choose_threads(work_.threads, static_cast<double>(count) * vertices * 0.01 +
                                          static_cast<double>(places.back()) * 1e-4);
    const Chunks chunks(count, threads);
    const std::int64_t bands = count < 4 * threads && threads > 1 ? 4 * threads : 1;
    parallel_for({threads, work_.executor}, chunks.count() * bands, [&] {
        return [&, scanner = FeatureScanner(kernels),
                poller = InterruptPoller()](std::int64_t index) mutable {
            const auto [begin, end] = chunks[index / bands];
            const std::int64_t band = index % bands;
            for (std::int64_t i = begin; i < end; ++i) {
                const auto at = static_cast<std::size_t>(i);
                Box box = boxes[at];
                const std::int64_t above = box.rows() / bands * band +
                                           std::min(band, box.rows() % bands),
                                   high = box.rows() / bands + (band < box.rows() % bands);
                box.top += above;
                box.bottom = box.top + high;
                std::uint8_t *const corner = out.data() + places[at] + above * box.cols();
                if (!out_is_zero)
                    std::fill_n(corner, high * box.cols(), std::uint8_t{0});
                scanner.scan(polygons_, first + i, Sampling(sampling, box),
                             [&](std::int64_t row, const auto &boundaries) {
                                 std::uint8_t *const line = corner + row * box.cols();
                                 for (std::size_t k = 0; k < boundaries.size(); k += 2) {
                                     const auto length = boundaries[k + 1] - boundaries[k];
                                     std::memset(line + boundaries[k], 1,
                                                 static_cast<std::size_t>(length));
                                     poller.count(length / pixels_of_a_step);
                                 }
                             });
            }
        };
    });
}

} // namespace polymask::inline POLYMASK_ABI
