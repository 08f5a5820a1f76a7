/* Runs equal those of the mask, pixel by pixel. */

#include <stdexcept>

#include <gtest/gtest.h>

#include "references.hpp"

namespace polymask::test
{

namespace
{

template <class T>
Runs polygon_runs_of(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                     const Options &options)
{
    const auto most = static_cast<std::size_t>(
        most_runs(polygon, options.grid(rows, cols), options.selection(), options.instruction_set));
    std::vector<T> row(most), start(most), stop(most);
    const RunArrays<T> out = {row, start, stop};
    const std::int64_t count = polygon_runs(polygon, options.grid(rows, cols), out,
                                            options.selection(), options.instruction_set);
    return as_runs(out, 0, count);
}

} // namespace

class RunsBySet : public testing::TestWithParam<InstructionSet>
{
};

TEST_P(RunsBySet, OfAPolygonAreThoseOfItsMask)
{
    Random random(41);
    for (const Kind kind : all_kinds) {
        for (int i = 0; i < 60; ++i) {
            const std::int64_t rows = random.integer(1, 60), cols = random.integer(1, 150);
            const auto vertices = polygon(random, kind, random.integer(3, 20),
                                          static_cast<double>(rows), static_cast<double>(cols));
            Options options = random_options(random);
            options.instruction_set = GetParam();
            const Runs wanted =
                runs_of_mask(rule_mask({vertices}, rows, cols, options), rows, cols);
            EXPECT_EQ(polygon_runs_of<std::int32_t>({vertices}, rows, cols, options), wanted)
                << name(kind) << " " << i;
        }
    }
}

TEST_P(RunsBySet, OfManyCrossingsAreThoseOfTheMask)
{
    Random random(42);
    for (const Kind kind : all_kinds) {
        for (const auto &[rows, cols] : {std::pair{150, 190}, {300, 2500}}) {
            const auto vertices = polygon(random, kind, 400, rows, cols);
            Options options = random_options(random);
            options.instruction_set = GetParam();
            EXPECT_EQ(polygon_runs_of<std::int64_t>({vertices}, rows, cols, options),
                      runs_of_mask(filled({vertices}, rows, cols, options), rows, cols))
                << name(kind);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, RunsBySet, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &set) { return name(set.param); });

class RunsByThreads : public testing::TestWithParam<int>
{
};

TEST_P(RunsByThreads, OfFeaturesAreTheUnionOfTheirPolygons)
{
    Random random(43);
    for (int i = 0; i < 40; ++i) {
        const std::int64_t rows = random.integer(1, 30), cols = random.integer(1, 40);
        const Features features = random_features(
            random, random.integer(0, 60), static_cast<double>(rows), static_cast<double>(cols));
        const Polygons polygons = features.view();
        Options options = random_feature_options(random);
        options.threads = GetParam();
        const auto most = static_cast<std::size_t>(
            most_runs(polygons, options.grid(rows, cols), options.selection(), options.work()));
        std::vector<std::int32_t> row(most), start(most), stop(most);
        Offsets ends(static_cast<std::size_t>(polygons.features()));
        std::vector<PixelSums> sums(ends.size());
        const RunArrays<std::int32_t> out = {row, start, stop};
        const std::int64_t count = label_runs(polygons, options.grid(rows, cols), ends, out,
                                              options.selection(), options.work());
        EXPECT_EQ(count, ends.empty() ? 0 : ends.back());
        pixel_sums(polygons, options.grid(rows, cols), sums, options.selection(), options.work());
        Offsets counts(ends.size());
        pixel_counts(polygons, options.grid(rows, cols), counts, options.selection(),
                     options.work());
        for (std::size_t f = 0; f < counts.size(); ++f)
            EXPECT_EQ(counts[f], sums[f].pixels);
        std::vector<Runs> visited(ends.size());
        for_each_run(
            polygons, options.grid(rows, cols),
            [&](std::int64_t feature, std::span<const polymask::Run> runs) {
                Runs &all = visited[static_cast<std::size_t>(feature)];
                all.insert(all.end(), runs.begin(), runs.end());
            },
            options.selection(), options.instruction_set);
        for (std::int64_t f = 0; f < polygons.features(); ++f) {
            const auto at = static_cast<std::size_t>(f);
            const Runs wanted = runs_of_mask(features.mask(f, rows, cols, options), rows, cols);
            EXPECT_EQ(as_runs(out, f == 0 ? 0 : ends[at - 1], ends[at]), wanted);
            EXPECT_EQ(visited[at], wanted);
            PixelSums sum;
            for (const polymask::Run &run : wanted)
                for (std::int64_t column = run.start; column < run.stop; ++column) {
                    ++sum.pixels;
                    sum.rows += run.row;
                    sum.columns += column;
                }
            EXPECT_EQ(sums[at], sum);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Threads, RunsByThreads, testing::Values(1, 2, 7));

TEST(RunsOf, WindowsFarOut)
{
    for (const std::int64_t offset :
         {(std::int64_t{1} << 50) - 20, std::int64_t{1} << 51, -(std::int64_t{1} << 53)}) {
        const auto o = static_cast<double>(offset);
        const std::vector<double> vertices = {o + 2, o + 1, o + 30, o + 8, o + 7, o + 19};
        Options options;
        options.row_offset = options.column_offset = offset;
        EXPECT_EQ(polygon_runs_of<std::int64_t>({vertices}, 25, 40, options),
                  runs_of_mask(filled({vertices}, 25, 40, options), 25, 40));
        /* a small polygon near the origin is not reached */
        EXPECT_EQ(
            polygon_runs_of<std::int64_t>({std::vector<double>{0, 0, 9, 0, 0, 9}}, 25, 40, options),
            Runs{});
    }
}

/* Point by point: uses the vertices and rings of one polygon among others. */
TEST(RunsOf, FeaturesOfManyPolygonsFarOut)
{
    Options options;
    options.row_offset = std::int64_t{1} << 51;
    const auto o = static_cast<double>(options.row_offset);
    const std::vector<double> small = {1, o + 1, 3, o + 1, 2, o + 4};
    Features features;
    features.add_ring(small);
    features.end_polygon();
    features.end_feature();
    features.add_ring({0, o, 6, o, -1e19, o + 7});
    features.end_polygon();
    features.add_ring(small);
    features.end_polygon();
    features.end_feature();
    for (const Border border : {Border::inside, Border::half_open}) {
        options.border = border;
        Offsets counts(2), wanted;
        for (const std::int64_t f : {0, 1}) {
            const Bytes mask = features.mask(f, 8, 8, options);
            wanted.push_back(std::count(mask.begin(), mask.end(), 1));
        }
        pixel_counts(features.view(), options.grid(8, 8), counts, options.selection(),
                     options.work());
        ASSERT_EQ(counts, wanted) << static_cast<int>(border);
    }
}

/* The samples far out are not exact as doubles, but the polygon is not there: testing all rows
 * would take forever. */
TEST(RunsOf, SmallPolygonsInWindowsThatReachFarOut)
{
    const std::vector<double> triangle = {2, 1, 37, 3, 9, 17};
    const auto right = [&](std::int64_t row_offset, std::int64_t column_offset) {
        Runs runs = polygon_runs_of<std::int64_t>({triangle}, 20, 40, {});
        for (std::size_t i = 0; i < runs.size(); ++i)
            runs[i].row -= row_offset, runs[i].start -= column_offset,
                runs[i].stop -= column_offset;
        return runs;
    };
    constexpr std::int64_t far = (std::int64_t{1} << 50) + 1;
    EXPECT_EQ(polygon_runs_of<std::int64_t>({triangle}, far, 40, {}), right(0, 0));
    EXPECT_EQ(polygon_runs_of<std::int64_t>({triangle}, 20, far, {}), right(0, 0));
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    Options options;
    options.row_offset = -far * 2;
    EXPECT_EQ(polygon_runs_of<std::int64_t>({triangle}, far * 4, 40, options), right(-far * 2, 0));
    options.row_offset = 0, options.column_offset = -far * 2;
    EXPECT_EQ(polygon_runs_of<std::int64_t>({triangle}, 20, far * 4, options), right(0, -far * 2));
    for (const std::int64_t offset : {least, least + far, -far - 50, far, -(least + 50)}) {
        options.row_offset = options.column_offset = offset;
        EXPECT_EQ(polygon_runs_of<std::int64_t>({triangle}, 20, 40, options), Runs{});
    }
    const Offsets one = {0, 3};
    std::vector<std::int64_t> near(1), wide(1);
    pixel_counts({triangle, one}, {{20, 40}}, near);
    pixel_counts({triangle, one}, {{8 * far, 1000}}, wide);
    EXPECT_EQ(near, wide);
}

TEST(RunsOf, AllTouchedOfManyCrossings)
{
    Random random(45);
    for (const Kind kind : all_kinds) {
        const std::int64_t rows = 90, cols = 600;
        const auto vertices = polygon(random, kind, 150, rows, cols);
        for (const Squares squares : {Squares::closed, Squares::open}) {
            Bytes mask(static_cast<std::size_t>(rows * cols));
            fill_touched({vertices}, {{rows, cols}}, mask, squares);
            EXPECT_EQ(polygon_runs_of<std::int32_t>({vertices}, rows, cols, {.touched = squares}),
                      runs_of_mask(mask, rows, cols))
                << name(kind);
        }
    }
}

TEST(RunsOf, AllTouchedOfOneRowHaveRoom)
{
    const std::vector<double> flat = {1.2, 0.6, 3.4, 0.7, 2, 0.9};
    for (const Squares squares : {Squares::closed, Squares::open}) {
        ASSERT_GE(most_runs(Polygon{flat}, {{5, 5}}, squares), 1);
        EXPECT_EQ(polygon_runs_of<std::int32_t>({flat}, 5, 5, {.touched = squares}),
                  (Runs{{1, 1, 4}}));
    }
}

TEST(RunsOf, WindowsOfMoreColumnsAndRowsThanOneScanTakes)
{
    constexpr double far = 3e9;
    const std::vector<double> wide = {-1, -1, far, -1, far, 2, -1, 2};
    const auto end = static_cast<std::int64_t>(far) + 1;
    EXPECT_EQ(polygon_runs_of<std::int64_t>({wide}, 2, std::int64_t{1} << 32, {}),
              (Runs{{0, 0, end}, {1, 0, end}}));
    EXPECT_EQ(polygon_runs_of<std::int64_t>({wide}, 4, std::int64_t{1} << 32,
                                            {.center = true, .touched = Squares::closed}),
              (Runs{{0, 0, end}, {1, 0, end}, {2, 0, end}}));
    const std::vector<double> low = {3, far, 8, far, 8, far + 2, 3, far + 2};
    EXPECT_EQ(polygon_runs_of<std::int64_t>({low}, std::int64_t{1} << 32, 10,
                                            {.border = Border::outside}),
              (Runs{{end, 4, 9}, {end + 1, 4, 8}}));
}

TEST(RunsOf, APolygonOfManyRowsAndChains)
{
    Random random(44);
    const std::int64_t rows = 150'000, cols = 12;
    const auto vertices = polygon(random, Kind::reals, 9, static_cast<double>(rows), cols);
    EXPECT_EQ(polygon_runs_of<std::int32_t>({vertices}, rows, cols, {}),
              runs_of_mask(filled({vertices}, rows, cols), rows, cols));
}

/* Runs are passed in several parts, and none is lost. */
TEST(RunsOf, ManyAreVisited)
{
    const std::int64_t rows = 5000, cols = 12;
    const std::vector<double> triangle = {1.5, -1, 10.2, 2500.5, 1.5, 5001};
    const Offsets ring = {0, 3};
    Runs visited;
    std::size_t calls = 0;
    for_each_run({triangle, ring}, {{rows, cols}},
                 [&](std::int64_t, std::span<const polymask::Run> runs) {
                     visited.insert(visited.end(), runs.begin(), runs.end());
                     ++calls;
                 });
    EXPECT_GT(calls, 2u);
    EXPECT_EQ(visited, polygon_runs_of<std::int32_t>({triangle}, rows, cols, {}));
}

TEST(RunsOf, EmptyWindowsAndSets)
{
    const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};
    EXPECT_EQ(polygon_runs_of<std::int32_t>({triangle}, 0, 10, {}), Runs{});
    EXPECT_EQ(polygon_runs_of<std::int32_t>({triangle}, 10, 0, {}), Runs{});
    EXPECT_EQ(most_runs(Polygons{}, {{10, 10}}), 0);
    EXPECT_EQ(label_runs<std::int32_t>(Polygons{}, {{10, 10}}, {}, {}), 0);
}

TEST(RunsOf, WhatIsRefused)
{
    const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};
    const auto refusal = [](auto call) -> std::string {
        try {
            call();
        } catch (const std::invalid_argument &error) {
            return error.what();
        }
        return "nothing refused";
    };
    std::vector<std::int32_t> few(2);
    const RunArrays<std::int32_t> out = {few, few, few};
    EXPECT_EQ(refusal([&] { polygon_runs({triangle}, {{10, 10}}, out); }),
              "out: expected room for 10 runs, got 2");
    EXPECT_EQ(refusal([&] { polygon_runs({triangle}, {{std::int64_t{1} << 31, 10}}, out); }),
              "shape: (2147483648, 10) exceeds the type of the runs");
    EXPECT_EQ(refusal([&] { polygon_runs({triangle}, {{-1, 10}}, out); }),
              "shape: rows and columns are at least 0, got (-1, 10)");
    const Offsets one_ring = {0, 3};
    EXPECT_EQ(refusal([&] { label_runs({triangle, one_ring}, {{10, 10}}, {}, out); }),
              "ends: expected 1 numbers, got 0");
    EXPECT_EQ(refusal([&] {
                  polygon_runs({triangle}, {.shape = {10, 10}, .row_offset = std::int64_t{1} << 50},
                               out, Squares::open);
              }),
              "offset: (1125899906842624, 0) plus the shape (10, 10) is beyond 2^50");
    std::vector<PixelSums> sums(1);
    EXPECT_EQ(refusal([&] {
                  pixel_sums({triangle, one_ring}, {{std::int64_t{1} << 30, std::int64_t{1} << 30}},
                             sums);
              }),
              "shape: sums of (1073741824, 1073741824) could exceed 63 bits");
    EXPECT_EQ(
        refusal([&] { pixel_sums({triangle, one_ring}, {{1, std::int64_t{1} << 40}}, sums); }),
        "shape: sums of (1, 1099511627776) could exceed 63 bits");
    EXPECT_EQ(
        refusal([&] { pixel_sums({triangle, one_ring}, {{std::int64_t{1} << 40, 1}}, sums); }),
        "shape: sums of (1099511627776, 1) could exceed 63 bits");
    EXPECT_EQ(few, std::vector<std::int32_t>(2));
}

} // namespace polymask::test
