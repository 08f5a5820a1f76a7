/* How fast, held against memset(1) of the same mask in the same run.
 *
 * Each iteration times one fill and one memset, in turn; a row reports medians:
 *   ms, memset_ms, ratio   of the whole call;
 *   ns_crossing            (rows `crossings`) toggling alone, without set-up and expansion;
 *   setup_ms, toggle_ms    (rows `short_edges`) with all edges of one to three rows;
 *   GHz                    (row `clock`) of a chain of additions: says what state the machine is
 * in.
 *
 * Polygons are random, vertices uniform in 0 .. cols and 0 .. rows: `int` whole numbers, `real`
 * any. Masks are reused (`out`) or new pages of the kernel for each call (`fresh`). */

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#include "dispatch.hpp"
#include "edges.hpp"
#include "polymask/polymask.hpp"

namespace
{

using namespace polymask;

constexpr std::size_t huge_page = std::size_t{1} << 21;

/* As numpy allocates large arrays: huge pages advised. */
class Pages
{
  public:
    explicit Pages(std::size_t size) : size_((size + huge_page - 1) / huge_page * huge_page)
    {
#ifdef __linux__
        whole_ = size_ + huge_page;
        mapped_ = mmap(nullptr, whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped_ == MAP_FAILED)
            throw std::bad_alloc();
        const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
        data_ =
            static_cast<std::uint8_t *>(mapped_) + (huge_page - address % huge_page) % huge_page;
        madvise(data_, size_, MADV_HUGEPAGE);
#else
        data_ = new std::uint8_t[size_]();
#endif
    }
    Pages(const Pages &) = delete;
    ~Pages()
    {
#ifdef __linux__
        munmap(mapped_, whole_);
#else
        delete[] data_;
#endif
    }
    std::uint8_t *data() const { return data_; }

  private:
    std::size_t size_, whole_ = 0;
    void *mapped_ = nullptr;
    std::uint8_t *data_;
};

class Samples
{
  public:
    template <class Call> double time(Call call)
    {
        const auto start = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        return add(passed.count());
    }
    double add(double seconds)
    {
        seconds_.push_back(seconds);
        return seconds;
    }
    double median()
    {
        std::sort(seconds_.begin(), seconds_.end());
        return seconds_[seconds_.size() / 2];
    }

  private:
    std::vector<double> seconds_;
};

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

/* A rough coast about a circle: most edges cross one to three scanlines. */
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

void fill_out(benchmark::State &state, std::int64_t size, const std::vector<double> &vertices,
              const Options &options)
{
    const auto bytes = static_cast<std::size_t>(size * size);
    const Pages pages(bytes);
    Samples fills, memsets;
    fill_mask({vertices}, size, size, {pages.data(), bytes}, options);
    for ([[maybe_unused]] auto _ : state) {
        memsets.time([&] {
            std::memset(pages.data(), 1, bytes);
            benchmark::ClobberMemory();
        });
        state.SetIterationTime(
            fills.time([&] { fill_mask({vertices}, size, size, {pages.data(), bytes}, options); }));
    }
    state.counters["ms"] = fills.median() * 1e3;
    state.counters["memset_ms"] = memsets.median() * 1e3;
    state.counters["ratio"] = fills.median() / memsets.median();
    state.SetLabel(describe(choose({vertices}, size, size, options)));
}

void fill_fresh(benchmark::State &state, std::int64_t size, const std::vector<double> &vertices,
                Options options)
{
    const auto bytes = static_cast<std::size_t>(size * size);
    options.out_is_zero = true;
    Samples fills, memsets;
    for ([[maybe_unused]] auto _ : state) {
        memsets.time([&] {
            const Pages pages(bytes);
            std::memset(pages.data(), 1, bytes);
            benchmark::ClobberMemory();
        });
        state.SetIterationTime(fills.time([&] {
            const Pages pages(bytes);
            fill_mask({vertices}, size, size, {pages.data(), bytes}, options);
        }));
    }
    state.counters["ms"] = fills.median() * 1e3;
    state.counters["memset_ms"] = memsets.median() * 1e3;
    state.counters["ratio"] = fills.median() / memsets.median();
}

/* Set-up and toggling by themselves, one thread. */
void parts(benchmark::State &state, std::int64_t size, const std::vector<double> &vertices,
           InstructionSet set)
{
    using namespace polymask::detail;
    const Kernels &kernels = choose_kernels(set);
    const Window window = {size, size, 0, 0, 0};
    const Layout layout(window, size, false, vertices.size() / 2, 1);
    std::vector<std::uint64_t> bits(layout.buffer_words());
    const Pages mask(static_cast<std::size_t>(size * size));

    double crossings = 0;
    for (std::size_t i = 1, n = vertices.size() / 2; i <= n; ++i)
        crossings += std::fabs(static_cast<double>(window.rows_up_to(vertices[2 * (i % n) + 1]) -
                                                   window.rows_up_to(vertices[2 * i - 1])));

    Samples setups, toggles;
    for ([[maybe_unused]] auto _ : state) {
        std::unique_ptr<EdgeTable> table;
        const double setup = setups.time(
            [&] { table = std::make_unique<EdgeTable>(Polygon{vertices}, window, layout); });
        std::vector<std::uint32_t> indices(2 * table->size());
        std::vector<std::uint16_t> strips(table->size());
        std::vector<std::uint32_t> starts(static_cast<std::size_t>(layout.strips()) + 1);
        const StripOrder order = {indices.data(), indices.data() + table->size(), strips.data(),
                                  starts.data()};
        double toggle = 0;
        for (std::int64_t index = 0; index < layout.bands; ++index) {
            const Band band(layout, index, mask.data());
            Samples one;
            toggle += one.time([&] { kernels.toggle(*table, layout, band, bits.data(), order); });
            std::fill(bits.begin(), bits.end(), 0);
        }
        toggles.add(toggle);
        state.SetIterationTime(setup + toggle);
    }
    state.counters["setup_ms"] = setups.median() * 1e3;
    state.counters["toggle_ms"] = toggles.median() * 1e3;
    state.counters["ns_crossing"] = toggles.median() / crossings * 1e9;
}

/* One addition a cycle, each waiting for the one before. */
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
    for (const auto &[size, n] : shapes) {
        const std::string shape = std::to_string(size) + "x" + std::to_string(n);
        for (const Numbers numbers : {Numbers::integers, Numbers::reals}) {
            const auto vertices = random_polygon(size, n, numbers);
            const std::string kind = numbers == Numbers::integers ? "/int" : "/real";
            for (const InstructionSet set : available_instruction_sets()) {
                Options options;
                options.threads = 1;
                options.instruction_set = set;
                add("out/" + shape + kind + "/" + name(set),
                    [=, size = size](auto &state) { fill_out(state, size, vertices, options); });
                add("crossings/" + shape + kind + "/" + name(set),
                    [=, size = size](auto &state) { parts(state, size, vertices, set); });
            }
        }
        const auto vertices = random_polygon(size, n, Numbers::integers);
        Options options;
        options.threads = 2;
        add("out/" + shape + "/int/threads:2",
            [=, size = size](auto &state) { fill_out(state, size, vertices, options); });
        options.threads = 1;
        add("fresh/" + shape + "/int",
            [=, size = size](auto &state) { fill_fresh(state, size, vertices, options); });
    }
    const auto vertices = coast(8192, 100'000);
    add("short_edges/8192x100000",
        [=](auto &state) { parts(state, 8192, vertices, InstructionSet::automatic); });
    Options options;
    options.threads = 1;
    add("out/8192x100000/coast", [=](auto &state) { fill_out(state, 8192, vertices, options); });
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
