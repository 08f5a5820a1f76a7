/* The speed of single masks, compared with memset(1) of the same mask in the same run.
 *
 * Each iteration times one fill and one memset, alternately; a row reports medians:
 *   ms, memset_ms, ratio   of the whole call, and of memset for the same bytes;
 *   to_mask                (rows `coverage`, `touched`) relative to the polygon's mask;
 *   ns_crossing            (rows `crossings`) toggling only, without set-up and expansion;
 *   setup_ms, toggle_ms    (rows `short_edges`) if all edges span one to three rows;
 *   ratio, ns_vertex       (rows `outlines`) relative to one pass over the image, and per vertex;
 *   GHz                    (row `clock`) of a chain of additions: shows the machine's state.
 *
 * Polygons are random, with vertices uniform in 0 .. cols and 0 .. rows, integers (`int`) or not
 * (`real`), or small circles of 24 vertices in a large image. The memory of a mask is reused
 * (`out`) or consists of new pages in each call (`fresh`). */

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "kernels/kernels.hpp"
#include "mask/bands.hpp"
#include "measure.hpp"
#include "polymask/coverage.hpp"
#include "polymask/outlines.hpp"
#include "polymask/polymask.hpp"
#include "polymask/touched.hpp"

namespace
{

using namespace polymask;

enum class Numbers { integers, reals };

std::vector<double> random_polygon(std::int64_t size, int n, Numbers numbers)
{
    std::mt19937_64 engine(20261121);
    std::vector<double> vertices;
    for (int i = 0; i < 2 * n; ++i)
        vertices.push_back(
            numbers == Numbers::integers
                ? static_cast<double>(std::uniform_int_distribution<std::int64_t>(0, size)(engine))
                : std::uniform_real_distribution<double>(0, static_cast<double>(size))(engine));
    return vertices;
}

/* Returns a rough coast around a circle: most edges cross one to three scanlines. */
std::vector<double> coast(std::int64_t size, int n)
{
    std::mt19937_64 engine(20261121);
    std::uniform_real_distribution<double> rough(-2, 2);
    std::vector<double> vertices;
    for (int i = 0; i < n; ++i) {
        const double angle = 2 * 3.14159265358979 * i / n;
        const double middle = static_cast<double>(size) / 2,
                     radius = 0.45 * static_cast<double>(size);
        vertices.push_back(middle + radius * std::cos(angle) + rough(engine));
        vertices.push_back(middle + radius * std::sin(angle) + rough(engine));
    }
    return vertices;
}

/* Returns a small polygon somewhere in a large image. */
std::vector<double> circle(std::int64_t size, double radius)
{
    std::vector<double> vertices;
    for (int i = 0; i < 24; ++i) {
        const double angle = 2 * 3.14159265358979 * i / 24,
                     middle = 0.37 * static_cast<double>(size);
        vertices.push_back(middle + radius * std::cos(angle));
        vertices.push_back(middle + radius * std::sin(angle));
    }
    return vertices;
}

void fill_out(benchmark::State &state, std::int64_t size, const std::vector<double> &vertices,
              const Work &work, const Rule &rule = {})
{
    const auto bytes = static_cast<std::size_t>(size * size);
    const Pages pages(bytes);
    Samples fills, memsets;
    fill_mask({vertices}, {{size, size}}, {pages.data(), bytes}, rule, {}, work);
    for ([[maybe_unused]] auto _ : state) {
        memsets.time([&] {
            std::memset(pages.data(), 1, bytes);
            benchmark::ClobberMemory();
        });
        state.SetIterationTime(fills.time(
            [&] { fill_mask({vertices}, {{size, size}}, {pages.data(), bytes}, rule, {}, work); }));
    }
    state.counters["ms"] = fills.median() * 1e3;
    state.counters["memset_ms"] = memsets.median() * 1e3;
    state.counters["ratio"] = fills.median() / memsets.median();
    state.SetLabel(describe(choose({vertices}, {{size, size}}, {}, work)));
}

void fill_fresh(benchmark::State &state, std::int64_t size, const std::vector<double> &vertices,
                const Work &work)
{
    const auto bytes = static_cast<std::size_t>(size * size);
    Samples fills, memsets;
    for ([[maybe_unused]] auto _ : state) {
        memsets.time([&] {
            const Pages pages(bytes);
            std::memset(pages.data(), 1, bytes);
            benchmark::ClobberMemory();
        });
        state.SetIterationTime(fills.time([&] {
            const Pages pages(bytes);
            fill_mask({vertices}, {{size, size}}, {pages.data(), bytes}, {}, {.out_is_zero = true},
                      work);
        }));
    }
    state.counters["ms"] = fills.median() * 1e3;
    state.counters["memset_ms"] = memsets.median() * 1e3;
    state.counters["ratio"] = fills.median() / memsets.median();
}

/* Times fractions, relative to the mask of the same polygon, with one thread. */
void fractions(benchmark::State &state, std::int64_t size, const Polygon &polygon,
               InstructionSet set)
{
    const auto count = static_cast<std::size_t>(size * size);
    const Pages mask(count), areas(count * sizeof(float));
    const std::span<float> out(areas.as<float>(), count);
    const Work work = {.threads = 1, .instruction_set = set};
    Samples masks, covers, memsets;
    for ([[maybe_unused]] auto _ : state) {
        masks.time([&] { fill_mask(polygon, {{size, size}}, {mask.data(), count}, {}, {}, work); });
        memsets.time([&] {
            std::memset(areas.data(), 1, count * sizeof(float));
            benchmark::ClobberMemory();
        });
        state.SetIterationTime(
            covers.time([&] { coverage(polygon, {{size, size}}, out, {}, set); }));
    }
    state.counters["ms"] = covers.median() * 1e3;
    state.counters["memset_ms"] = memsets.median() * 1e3;
    state.counters["to_mask"] = covers.median() / masks.median();
}

/* Times touched squares, relative to the mask of the same polygon, with one thread. */
void touched(benchmark::State &state, std::int64_t size, const std::vector<double> &vertices)
{
    const auto count = static_cast<std::size_t>(size * size);
    const Pages pages(count);
    const Work work = {.threads = 1};
    Samples masks, touches;
    for ([[maybe_unused]] auto _ : state) {
        masks.time(
            [&] { fill_mask({vertices}, {{size, size}}, {pages.data(), count}, {}, {}, work); });
        state.SetIterationTime(
            touches.time([&] { fill_touched({vertices}, {{size, size}}, {pages.data(), count}); }));
    }
    state.counters["ms"] = touches.median() * 1e3;
    state.counters["to_mask"] = touches.median() / masks.median();
}

/* Times set-up and toggling separately, with one thread. */
void parts(benchmark::State &state, std::int64_t size, const std::vector<double> &vertices,
           InstructionSet set)
{
    using namespace polymask::detail;
    const Kernels &kernels = choose_kernels(set);
    const Window window = {size, size, 0, 0, 0};
    const Layout layout(window, size, false, vertices, 1, kernels.has_tiles);
    std::vector<std::uint64_t> bits(layout.buffer_words());
    const Pages mask(static_cast<std::size_t>(size * size));

    double crossings = 0;
    for (std::size_t i = 1, n = vertices.size() / 2; i <= n; ++i)
        crossings += std::fabs(static_cast<double>(window.rows_up_to(vertices[2 * (i % n) + 1]) -
                                                   window.rows_up_to(vertices[2 * i - 1])));

    Samples setups, toggles;
    for ([[maybe_unused]] auto _ : state) {
        std::unique_ptr<EdgeTable> table;
        const double setup = setups.time([&] {
            table = std::make_unique<EdgeTable>(Polygon{vertices}, window, layout, Rule{});
        });
        double toggle = 0;
        for (std::int64_t index = 0; index < layout.bands; ++index) {
            const Band band(layout, index, mask.data());
            Samples one;
            toggle += one.time([&] { kernels.toggle(*table, layout, band, bits.data()); });
            std::fill(bits.begin(), bits.end(), 0);
        }
        toggles.add(toggle);
        state.SetIterationTime(setup + toggle);
    }
    state.counters["setup_ms"] = setups.median() * 1e3;
    state.counters["toggle_ms"] = toggles.median() * 1e3;
    state.counters["ns_crossing"] = toggles.median() / crossings * 1e9;
}

/* Times the outlines of an image, into vectors, relative to one pass over the image. */
template <class T>
void outlines(benchmark::State &state, std::int64_t size, const std::vector<T> &image)
{
    Samples traces, reads;
    std::size_t vertices = 0;
    for ([[maybe_unused]] auto _ : state) {
        reads.time([&] {
            T bits = 0;
            for (const T element : image)
                bits = static_cast<T>(bits | element);
            benchmark::DoNotOptimize(bits);
        });
        state.SetIterationTime(traces.time([&] {
            const LabelImage view = {image, {size, size}};
            const Outlines made = sizeof(T) == 1 ? mask_to_rings(view) : labels_to_rings(view);
            vertices = made.vertices.size() / 2;
        }));
    }
    state.counters["ms"] = traces.median() * 1e3;
    state.counters["read_ms"] = reads.median() * 1e3;
    state.counters["ratio"] = traces.median() / reads.median();
    state.counters["vertices"] = static_cast<double>(vertices);
    state.counters["ns_vertex"] = traces.median() / static_cast<double>(vertices) * 1e9;
}

/* Returns an image of inside(x, y); labels are the numbers of cells of 32 x 32 pixels. */
template <class T> std::vector<T> image_of(std::int64_t size, auto inside)
{
    std::vector<T> image;
    image.reserve(static_cast<std::size_t>(size * size));
    for (std::int64_t y = 0; y < size; ++y)
        for (std::int64_t x = 0; x < size; ++x)
            image.push_back(inside(x, y)
                                ? sizeof(T) == 1 ? T{1} : static_cast<T>(y / 32 * size + x / 32 + 1)
                                : T{0});
    return image;
}

void add_outlines(auto add)
{
    for (const std::int64_t size : {1024, 8192}) {
        const std::string name = "outlines/" + std::to_string(size);
        const auto middle = static_cast<double>(size) / 2;
        const auto disc = [=](std::int64_t x, std::int64_t y) {
            return std::hypot(static_cast<double>(x) - middle, static_cast<double>(y) - middle) <
                   0.8 * middle;
        };
        const auto blobs = [](std::int64_t x, std::int64_t y) {
            return std::sin(0.2 * static_cast<double>(x)) +
                       std::sin(0.23 * static_cast<double>(y)) +
                       std::sin(0.05 * static_cast<double>(x + y)) >
                   0.5;
        };
        std::mt19937_64 engine(20261121);
        const auto noise = [&](std::int64_t, std::int64_t) { return engine() % 2 == 0; };
        const auto row = [&](const std::string &kind, auto image) {
            add(name + kind, [=](auto &state) { outlines(state, size, image); });
        };
        row("/empty", std::vector<std::uint8_t>(static_cast<std::size_t>(size * size)));
        row("/disc", image_of<std::uint8_t>(size, disc));
        row("/blobs", image_of<std::uint8_t>(size, blobs));
        row("/noise", image_of<std::uint8_t>(size, noise));
        row("/labels", image_of<std::int32_t>(size, blobs));
    }
}

/* Times a chain of dependent additions, one per cycle. */
void clock_check(benchmark::State &state)
{
    constexpr int additions = 1'000'000;
    Samples chains;
    for ([[maybe_unused]] auto _ : state)
        state.SetIterationTime(chains.time([] {
            std::uint64_t sum = 0;
            for (int i = 0; i < additions; ++i) {
#ifdef __x86_64__
                asm volatile("add $1, %0" : "+r"(sum));
#else
                benchmark::DoNotOptimize(++sum);
#endif
            }
        }));
    state.counters["GHz"] = additions / chains.median() * 1e-9;
}

void add(const std::string &name, auto function)
{
    benchmark::RegisterBenchmark(name.c_str(), function)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
}

void add_all()
{
    add("clock", clock_check);
    const std::pair<std::int64_t, int> shapes[] = {
        {1024, 24}, {1024, 1000}, {8192, 24}, {8192, 10000}};
    for (const auto &one : shapes) {
        const std::int64_t size = one.first;
        const int n = one.second;
        const std::string shape = std::to_string(size) + "x" + std::to_string(n);
        for (const Numbers numbers : {Numbers::integers, Numbers::reals}) {
            const auto vertices = random_polygon(size, n, numbers);
            const std::string kind = numbers == Numbers::integers ? "/int" : "/real";
            for (const InstructionSet set : available_instruction_sets()) {
                const Work work = {.threads = 1, .instruction_set = set};
                add("out/" + shape + kind + "/" + name(set),
                    [=](auto &state) { fill_out(state, size, vertices, work); });
                add("crossings/" + shape + kind + "/" + name(set),
                    [=](auto &state) { parts(state, size, vertices, set); });
            }
        }
        for (const InstructionSet set : available_instruction_sets())
            add("coverage/" + shape + "/real/" + name(set), [=](auto &state) {
                const auto vertices = random_polygon(size, n, Numbers::reals);
                fractions(state, size, {vertices}, set);
            });
        for (const Numbers numbers : {Numbers::integers, Numbers::reals})
            add("touched/" + shape + (numbers == Numbers::integers ? "/int" : "/real"),
                [=](auto &state) { touched(state, size, random_polygon(size, n, numbers)); });
        const Work one_thread = {.threads = 1}, two_threads = {.threads = 2};
        const auto reals = random_polygon(size, n, Numbers::reals);
        add("out/" + shape + "/real/watertight",
            [=](auto &state) { fill_out(state, size, reals, one_thread, {.watertight = true}); });
        const auto vertices = random_polygon(size, n, Numbers::integers);
        add("out/" + shape + "/int/threads:2",
            [=](auto &state) { fill_out(state, size, vertices, two_threads); });
        add("fresh/" + shape + "/int",
            [=](auto &state) { fill_fresh(state, size, vertices, one_thread); });
    }
    for (const auto &small : {std::pair{1024, 50}, {8192, 50}, {20000, 300}}) {
        const int size = small.first, radius = small.second;
        const std::string name = std::to_string(size) + "/radius:" + std::to_string(radius);
        const auto vertices = circle(size, radius);
        const Work work = {.threads = 1};
        add("small/out/" + name, [=](auto &state) { fill_out(state, size, vertices, work); });
        add("small/fresh/" + name, [=](auto &state) { fill_fresh(state, size, vertices, work); });
    }
    add("coverage/300x90000_triangles", [](auto &state) {
        std::vector<double> vertices;
        std::vector<std::int64_t> starts;
        for (int i = 0; i < 90'000; ++i) {
            const double x = i % 300, y = i / 300;
            starts.push_back(3 * i);
            vertices.insert(vertices.end(), {x + 0.1, y + 0.1, x + 0.9, y + 0.2, x + 0.5, y + 0.9});
        }
        fractions(state, 300, {vertices, starts}, InstructionSet::automatic);
    });
    const auto vertices = coast(8192, 100'000);
    add("short_edges/8192x100000",
        [=](auto &state) { parts(state, 8192, vertices, InstructionSet::automatic); });
    const Work work = {.threads = 1};
    add("out/8192x100000/coast", [=](auto &state) { fill_out(state, 8192, vertices, work); });
    add_outlines([](const std::string &row, auto function) { add(row, function); });
}

} // namespace

int main(int argc, char **argv)
{
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    add_all();
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
}
