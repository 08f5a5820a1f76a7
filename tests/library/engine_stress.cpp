/* All functions of the engine from many threads at once, for the thread sanitizer: prints "good" if
 * all came out right. With PLANTED_RACE two threads fill one mask, which is a caller's mistake: the
 * sanitizer has to find it within the engine. */
#include "polymask/coco.hpp"
#include "polymask/coverage.hpp"
#include "polymask/crops.hpp"
#include "polymask/labels.hpp"
#include "polymask/outlines.hpp"
#include "polymask/polymask.h"
#include "polymask/runs.hpp"
#include "polymask/statistics.hpp"
#include "polymask/touched.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

namespace
{

constexpr std::int64_t rows = 300, cols = 501;
constexpr auto size = static_cast<std::size_t>(rows * cols);

/* Stars, one beside the other; all of them are one polygon of many rings, too. */
struct Scene {
    std::vector<double> vertices, points;
    std::vector<std::int64_t> rings = {0};

    Scene()
    {
        for (int star = 0; star < 60; ++star) {
            for (int i = 0; i < 24; ++i) {
                const double angle = i * 3.14159265358979 / 12, radius = i % 2 == 0 ? 33 : 9;
                vertices.push_back(star % 10 * 50 + 25 + radius * std::cos(angle));
                vertices.push_back(star / 10 * 50 + 25.3 + radius * std::sin(angle));
            }
            rings.push_back(static_cast<std::int64_t>(vertices.size() / 2));
        }
        for (int i = 0; i < 5000; ++i)
            points.push_back(i * 7 % 499 + 0.25), points.push_back(i * 11 % 297 + 0.5);
    }
    polymask::Polygon one() const { return {vertices, {rings.data(), rings.size() - 1}}; }
    polymask::Polygons many() const { return {vertices, rings}; }
};

template <class T> std::string bytes_of(const std::vector<T> &values)
{
    return {reinterpret_cast<const char *>(values.data()), values.size() * sizeof(T)};
}

const Scene scene;

/* Made once, and used by all callers at once, as they may be. */
const polymask::LabelPainter painter(scene.many(), rows, cols);
const polymask::MaskCropper cropper(scene.many(), rows, cols);

polymask_options for_c(const polymask::Options &options)
{
    polymask_options made = {};
    made.size = sizeof made;
    made.threads = options.threads;
    return made;
}

/* What a function for C wrote; one that is refused ends the program. */
template <class T, class Call> std::string by_c(std::size_t count, const Call &call)
{
    std::vector<T> out(count);
    char error[POLYMASK_ERROR_SIZE] = "";
    if (call(out.data(), error) != POLYMASK_DONE)
        throw std::runtime_error(error);
    return bytes_of(out);
}

struct Function {
    const char *name;
    std::function<std::string(const polymask::Options &)> call;
};

const Function functions[] = {
    {"fill_mask",
     [](const polymask::Options &options) {
         std::vector<std::uint8_t> out(size);
         polymask::fill_mask(scene.one(), rows, cols, out, options);
         return bytes_of(out);
     }},
    {"fill_packed",
     [](const polymask::Options &options) {
         std::vector<std::uint8_t> out(
             static_cast<std::size_t>(rows * polymask::packed_row_bytes(cols)));
         polymask::fill_packed(scene.one(), rows, cols, out, options);
         return bytes_of(out);
     }},
    {"contains",
     [](const polymask::Options &options) {
         std::vector<std::uint8_t> out(scene.points.size() / 2);
         polymask::contains(scene.one(), scene.points, out, true, options.threads);
         return bytes_of(out);
     }},
    {"fill_labels",
     [](const polymask::Options &options) {
         std::vector<std::int32_t> out(size);
         polymask::fill_labels<std::int32_t>(scene.many(), {}, rows, cols, out,
                                             polymask::OnTop::smallest, options);
         return bytes_of(out);
     }},
    {"LabelPainter", /* two threads a call, which share an image */
     [](const polymask::Options &) {
         std::vector<std::int32_t> out(size);
         const std::int64_t half = painter.tiles() / 2;
         std::thread other([&] { painter.paint<std::int32_t>({}, out, 0, half); });
         painter.paint<std::int32_t>({}, out, half, painter.tiles());
         other.join();
         return bytes_of(out);
     }},
    {"MaskCropper, one for all",
     [](const polymask::Options &) {
         std::vector<polymask::Box> boxes(60);
         cropper.boxes(boxes);
         std::size_t bytes = 0;
         for (const polymask::Box &box : boxes)
             bytes += static_cast<std::size_t>(box.rows() * box.cols());
         std::vector<std::uint8_t> out(bytes);
         cropper.fill(0, boxes, out);
         return bytes_of(boxes) + bytes_of(out);
     }},
    {"MaskCropper",
     [](const polymask::Options &options) {
         const std::vector<polymask::Box> boxes(4, {0, rows, 0, cols});
         std::vector<std::uint8_t> out(4 * size);
         polymask::MaskCropper(scene.many(), rows, cols, options).fill(7, boxes, out);
         return bytes_of(out);
     }},
    {"column_counts",
     [](const polymask::Options &options) {
         const auto found = polymask::column_counts(scene.many(), rows, cols, options);
         return bytes_of(found.counts) + bytes_of(found.ends);
     }},
    {"coco_text",
     [](const polymask::Options &options) {
         const auto found = polymask::coco_text(scene.many(), rows, cols, options);
         return found.text + bytes_of(found.ends);
     }},
    {"polygon_runs",
     [](const polymask::Options &options) {
         const auto most =
             static_cast<std::size_t>(polymask::most_runs(scene.one(), rows, cols, options));
         std::vector<std::int32_t> row(most), start(most), stop(most);
         const polymask::RunArrays<std::int32_t> out = {row, start, stop};
         polymask::polygon_runs(scene.one(), rows, cols, out, options);
         return bytes_of(row) + bytes_of(start) + bytes_of(stop);
     }},
    {"label_runs",
     [](const polymask::Options &options) {
         const auto most =
             static_cast<std::size_t>(polymask::most_runs(scene.many(), rows, cols, options));
         std::vector<std::int64_t> row(most), start(most), stop(most), ends(60);
         const polymask::RunArrays<std::int64_t> out = {row, start, stop};
         const auto count = static_cast<std::size_t>(
             polymask::label_runs(scene.many(), rows, cols, ends, out, options));
         start.resize(count);
         return bytes_of(start) + bytes_of(ends);
     }},
    {"visit_runs",
     [](const polymask::Options &options) {
         std::string all;
         polymask::for_each_run(
             scene.many(), rows, cols,
             [&](std::int64_t feature, std::span<const polymask::Run> runs) {
                 all += std::to_string(feature) +
                        bytes_of(std::vector<polymask::Run>(runs.begin(), runs.end()));
             },
             options);
         return all;
     }},
    {"pixel_counts",
     [](const polymask::Options &options) {
         std::vector<std::int64_t> out(60);
         polymask::pixel_counts(scene.many(), rows, cols, out, options);
         return bytes_of(out);
     }},
    {"pixel_sums",
     [](const polymask::Options &options) {
         std::vector<polymask::PixelSums> out(60);
         polymask::pixel_sums(scene.many(), rows, cols, out, options);
         return bytes_of(out);
     }},
    {"statistics",
     [](const polymask::Options &options) {
         const std::vector<float> values(size, 1.5F);
         std::vector<polymask::Statistics<float>> out(60);
         polymask::statistics<float>(scene.many(), rows, cols, {values}, out, options);
         std::vector<double> told;
         for (const auto &one : out)
             told.insert(told.end(), {static_cast<double>(one.count), one.sum, one.min, one.max});
         return bytes_of(told);
     }},
    {"coverage",
     [](const polymask::Options &) {
         std::vector<float> out(size);
         polymask::coverage(scene.one(), rows, cols, out);
         return bytes_of(out);
     }},
    {"coverage_samples",
     [](const polymask::Options &) {
         std::vector<float> out(size);
         polymask::coverage_samples(scene.one(), rows, cols, 2, out);
         return bytes_of(out);
     }},
    {"fill_touched",
     [](const polymask::Options &) {
         std::vector<std::uint8_t> out(size);
         polymask::fill_touched(scene.one(), rows, cols, out);
         return bytes_of(out);
     }},
    {"mask_to_rings",
     [](const polymask::Options &options) {
         std::vector<std::uint8_t> mask(size);
         polymask::fill_mask(scene.one(), rows, cols, mask, options);
         return bytes_of(polymask::mask_to_rings({mask, rows, cols}).vertices);
     }},
    {"labels_to_rings",
     [](const polymask::Options &options) {
         std::vector<std::int32_t> labels(size);
         polymask::fill_labels<std::int32_t>(scene.many(), {}, rows, cols, labels,
                                             polymask::OnTop::last, options);
         return bytes_of(polymask::labels_to_rings({labels, rows, cols}, 0).vertices);
     }},
    {"polymask_fill_mask",
     [](const polymask::Options &options) {
         const polymask_options how = for_c(options);
         const polymask::Polygon one = scene.one();
         return by_c<std::uint8_t>(size, [&](std::uint8_t *out, char *error) {
             return polymask_fill_mask(one.vertices.data(), one.vertices.size() / 2,
                                       one.ring_starts.data(), one.ring_starts.size(), rows, cols,
                                       out, size, &how, error);
         });
     }},
    {"polymask_contains",
     [](const polymask::Options &options) {
         const polymask_options how = for_c(options);
         const polymask::Polygon one = scene.one();
         const std::size_t count = scene.points.size() / 2;
         return by_c<std::uint8_t>(count, [&](std::uint8_t *out, char *error) {
             return polymask_contains(one.vertices.data(), one.vertices.size() / 2,
                                      one.ring_starts.data(), one.ring_starts.size(),
                                      scene.points.data(), count, out, &how, error);
         });
     }},
    {"polymask_fill_labels",
     [](const polymask::Options &options) {
         const polymask_options how = for_c(options);
         const polymask::Polygons many = scene.many();
         const polymask_polygons polygons = {many.vertices.data(),
                                             many.vertices.size() / 2,
                                             many.ring_offsets.data(),
                                             many.ring_offsets.size() - 1,
                                             nullptr,
                                             0,
                                             nullptr,
                                             0};
         return by_c<std::int32_t>(size, [&](std::int32_t *out, char *error) {
             return polymask_fill_labels(&polygons, nullptr, 0, rows, cols, out, size, &how, error);
         });
     }},
    {"polymask_coverage",
     [](const polymask::Options &) {
         const polymask::Polygon one = scene.one();
         return by_c<float>(size, [&](float *out, char *error) {
             return polymask_coverage(one.vertices.data(), one.vertices.size() / 2,
                                      one.ring_starts.data(), one.ring_starts.size(), rows, cols,
                                      out, size, nullptr, error);
         });
     }},
};

#ifdef PLANTED_RACE
void fill_one_mask_twice()
{
    std::vector<std::uint8_t> out(size);
    const auto fill = [&] { polymask::fill_mask(scene.one(), rows, cols, out); };
    std::thread other(fill);
    fill();
    other.join();
}
#endif

} // namespace

int main()
{
#ifdef PLANTED_RACE
    fill_one_mask_twice();
#endif
    std::vector<std::string> right;
    for (const Function &function : functions)
        right.push_back(function.call({.threads = 1}));
    std::atomic<int> wrong = 0;
    constexpr int count = 6;
    std::vector<std::thread> callers;
    callers.reserve(count);
    for (int caller = 0; caller < count; ++caller) {
        callers.emplace_back([&, caller] {
            for (int round = 0; round < 8; ++round) {
                for (std::size_t i = 0; i < right.size(); ++i) {
                    const std::size_t k = (i + static_cast<std::size_t>(caller)) % right.size();
                    if (functions[k].call({.threads = (caller + round) % 4}) == right[k])
                        continue;
                    ++wrong;
                    std::printf("wrong: %s\n", functions[k].name);
                }
            }
        });
    }
    for (std::thread &caller : callers)
        caller.join();
    if (wrong == 0)
        std::printf("good\n");
    return wrong == 0 ? 0 : 1;
}
