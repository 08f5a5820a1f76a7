/* Many polygons: a million octagons of radius 8 to 12 in an image of 20000 x 20000, their
 * statistics in such an image, and the runs of one polygon, compared with its mask. Rows report
 * medians: ms of the whole call, including checks; ns_polygon per octagon; mask_ms, ratio (rows
 * `runs`) of the mask on fresh pages, timed alternately with the runs, also on fresh pages. */

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <benchmark/benchmark.h>

#include "measure.hpp"
#include "polymask/labels.hpp"
#include "polymask/runs.hpp"
#include "polymask/statistics.hpp"

namespace
{

using namespace polymask;

constexpr std::int64_t image = 20000;
constexpr double pi = 3.14159265358979;

struct Octagons {
    std::vector<double> vertices;
    std::vector<std::int64_t> rings{0};

    explicit Octagons(int count)
    {
        std::mt19937_64 engine(20261123);
        std::uniform_real_distribution<double> middle(0, image), radius(8, 12), turn(0, 2 * pi);
        for (int i = 0; i < count; ++i) {
            const double x = middle(engine), y = middle(engine), r = radius(engine),
                         a = turn(engine);
            for (int k = 0; k < 8; ++k) {
                vertices.push_back(x + r * std::cos(a + k * pi / 4));
                vertices.push_back(y + r * std::sin(a + k * pi / 4));
            }
            rings.push_back(rings.back() + 8);
        }
    }
    Polygons view() const { return {vertices, rings}; }
};

template <class Call> void measure(benchmark::State &state, std::int64_t polygons, Call call)
{
    Samples samples;
    for ([[maybe_unused]] auto _ : state)
        state.SetIterationTime(samples.time(call));
    state.counters["ms"] = samples.median() * 1e3;
    state.counters["ns_polygon"] = samples.median() * 1e9 / static_cast<double>(polygons);
}

/* Memory for runs on fresh pages. */
class Room
{
  public:
    explicit Room(std::int64_t most)
        : count_(static_cast<std::size_t>(most)), rows_(4 * count_ + 1), starts_(4 * count_ + 1),
          stops_(4 * count_ + 1)
    {
    }
    RunArrays<std::int32_t> out() const { return {array(rows_), array(starts_), array(stops_)}; }

  private:
    std::span<std::int32_t> array(const Pages &pages) const
    {
        return {pages.as<std::int32_t>(), count_};
    }
    std::size_t count_;
    Pages rows_, starts_, stops_;
};

void labels(benchmark::State &state, const Octagons &octagons, OnTop on_top, bool fresh,
            const Work &work)
{
    const std::size_t pixels = static_cast<std::size_t>(image * image);
    const Pages kept(fresh ? 1 : 4 * pixels);
    Samples samples;
    for ([[maybe_unused]] auto _ : state) {
        const Pages pages(fresh ? 4 * pixels : 1);
        const std::span<std::int32_t> out((fresh ? pages : kept).as<std::int32_t>(), pixels);
        state.SetIterationTime(samples.time([&] {
            fill_labels<std::int32_t>(octagons.view(), {{image, image}}, {}, out, on_top, {},
                                      {.out_is_zero = fresh}, work);
        }));
    }
    state.counters["ms"] = samples.median() * 1e3;
    state.counters["ns_polygon"] =
        samples.median() * 1e9 / static_cast<double>(octagons.view().features());
}

/* Times the statistics of an image's values in each octagon. */
template <class T>
void statistics_of_image(benchmark::State &state, const Octagons &octagons, const Work &work)
{
    const std::size_t pixels = static_cast<std::size_t>(image * image);
    const Pages pages(sizeof(T) * pixels);
    const std::span<T> values(pages.as<T>(), pixels);
    for (std::size_t i = 0; i < pixels; ++i)
        values[i] = static_cast<T>(i % 251);
    const std::int64_t count = octagons.view().features();
    std::vector<Statistics<T>> found(static_cast<std::size_t>(count));
    measure(state, count, [&] {
        statistics<T>(octagons.view(), {{image, image}}, {values}, std::span(found), {}, work);
    });
}

void runs_beside_mask(benchmark::State &state, std::int64_t size, int n)
{
    std::mt19937_64 engine(20261123);
    std::uniform_int_distribution<std::int64_t> anywhere(0, size);
    std::vector<double> vertices;
    for (int i = 0; i < 2 * n; ++i)
        vertices.push_back(static_cast<double>(anywhere(engine)));
    const Polygon polygon = {vertices};
    const auto bytes = static_cast<std::size_t>(size * size);
    const std::int64_t most = most_runs(polygon, {{size, size}});
    Samples runs, masks;
    for ([[maybe_unused]] auto _ : state) {
        masks.time([&] {
            const Pages pages(bytes);
            fill_mask(polygon, {{size, size}}, {pages.data(), bytes}, {}, {.out_is_zero = true},
                      {.threads = 1});
        });
        state.SetIterationTime(runs.time([&] {
            const Room room(most);
            polygon_runs(polygon, {{size, size}}, room.out());
        }));
    }
    state.counters["ms"] = runs.median() * 1e3;
    state.counters["mask_ms"] = masks.median() * 1e3;
    state.counters["ratio"] = runs.median() / masks.median();
}

void add(const std::string &name, auto function)
{
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

void add_all(const Octagons &octagons)
{
    const std::int64_t count = octagons.view().features();
    for (const InstructionSet set : available_instruction_sets()) {
        const Work work = {.threads = 1, .instruction_set = set};
        const std::string name_of_set = std::string("/") + name(set);
        add("sums" + name_of_set, [=, &octagons](auto &state) {
            std::vector<PixelSums> sums(static_cast<std::size_t>(count));
            measure(state, count,
                    [&] { pixel_sums(octagons.view(), {{image, image}}, sums, {}, work); });
        });
        add("runs" + name_of_set, [=, &octagons](auto &state) {
            const std::int64_t most = most_runs(octagons.view(), {{image, image}}, {}, work);
            std::vector<std::int64_t> ends(static_cast<std::size_t>(count));
            measure(state, count, [&] {
                const Room room(most);
                label_runs(octagons.view(), {{image, image}}, std::span(ends), room.out(), {},
                           work);
            });
        });
        add("statistics/uint8" + name_of_set, [=, &octagons](auto &state) {
            statistics_of_image<std::uint8_t>(state, octagons, work);
        });
        add("statistics/float" + name_of_set,
            [=, &octagons](auto &state) { statistics_of_image<float>(state, octagons, work); });
        add("labels" + name_of_set,
            [=, &octagons](auto &state) { labels(state, octagons, OnTop::last, true, work); });
    }
    const Work one_thread = {.threads = 1}, two_threads = {.threads = 2};
    add("labels/smallest", [=, &octagons](auto &state) {
        labels(state, octagons, OnTop::smallest, true, one_thread);
    });
    add("labels/reused",
        [=, &octagons](auto &state) { labels(state, octagons, OnTop::last, false, one_thread); });
    add("labels/threads:2",
        [=, &octagons](auto &state) { labels(state, octagons, OnTop::last, true, two_threads); });
    const std::pair<std::int64_t, int> shapes[] = {
        {1024, 24}, {1024, 1000}, {8192, 24}, {8192, 10000}};
    for (const auto &one : shapes)
        add("runs/" + std::to_string(one.first) + "x" + std::to_string(one.second),
            [one](auto &state) { runs_beside_mask(state, one.first, one.second); });
}

} // namespace

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    const Octagons octagons(1'000'000);
    add_all(octagons);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
