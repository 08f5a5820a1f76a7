/* All functions of the engine from many threads at once, for the thread sanitizer: prints "good" if
 * all came out right. With PLANTED_RACE two threads fill one mask, which is a caller's mistake: the
 * sanitizer has to find it within the engine. */
#include "polymask/coverage.hpp"
#include "polymask/labels.hpp"
#include "polymask/outlines.hpp"
#include "polymask/runs.hpp"
#include "polymask/statistics.hpp"
#include "polymask/touched.hpp"

#include <atomic>
#include <cmath>
#include <cstdio>
#include <functional>
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
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 6; ++caller) {
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
