/* Run lengths down the columns equal those of the mask, pixel by pixel, COCO's reader accepts their
 * text, and reading them gives the mask again. */

#include <limits>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <gtest/gtest.h>

#include "polymask/coco.hpp"
#include "references.hpp"

namespace polymask::test
{

namespace
{

void expect_counts(const Features &features, std::int64_t rows, std::int64_t cols,
                   const Options &options)
{
    const Polygons polygons = features.view();
    const ColumnCounts found =
        column_counts(polygons, options.grid(rows, cols), options.selection(), options.work());
    const CocoText text =
        coco_text(polygons, options.grid(rows, cols), options.selection(), options.work());
    ASSERT_EQ(found.ends.size(), static_cast<std::size_t>(polygons.features()));
    ASSERT_EQ(text.ends.size(), found.ends.size());
    std::int64_t start = 0, first = 0;
    for (std::size_t f = 0; f < found.ends.size(); ++f) {
        const Counts counts(found.counts.begin() + start, found.counts.begin() + found.ends[f]);
        EXPECT_EQ(counts,
                  counts_of_mask(features.mask(static_cast<std::int64_t>(f), rows, cols, options),
                                 rows, cols));
        EXPECT_EQ(counts_of_text(text.text.substr(static_cast<std::size_t>(first),
                                                  static_cast<std::size_t>(text.ends[f] - first))),
                  counts);
        start = found.ends[f];
        first = text.ends[f];
    }
}

/* Encodes counts as COCO does, one by one. */
std::string text_of_counts(const Counts &counts)
{
    std::string text;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::int64_t number = i > 2 ? counts[i] - counts[i - 2] : counts[i];
        for (bool follows = true; follows;) {
            const std::int64_t five = number & 31;
            number >>= 5;
            follows = number != ((five & 16) != 0 ? -1 : 0);
            text += static_cast<char>(five + (follows ? 80 : 48));
        }
    }
    return text;
}

} // namespace

class CocoBySet : public testing::TestWithParam<InstructionSet>
{
};

TEST_P(CocoBySet, CountsAreThoseOfTheMask)
{
    Random random(61);
    for (int i = 0; i < 60; ++i) {
        const std::int64_t rows = random.integer(1, 30), cols = random.integer(1, 40);
        const Features features = random_features(
            random, random.integer(0, 40), static_cast<double>(rows), static_cast<double>(cols));
        Options options = random_feature_options(random);
        options.instruction_set = GetParam();
        for (const int threads : {1, 2, 7}) {
            options.threads = threads;
            expect_counts(features, rows, cols, options);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, CocoBySet, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &set) { return name(set.param); });

TEST(Coco, ColumnsThatAreFullFromTopToBottom)
{
    Features features;
    const auto add_box = [&](double left, double top, double right, double bottom) {
        features.add_ring({left, top, right, top, right, bottom, left, bottom});
        features.end_polygon();
        features.end_feature();
    };
    add_box(-9, -9, 99, 99);
    add_box(-9, -9, 3.5, 99);
    add_box(2.5, -9, 99, 99);
    add_box(1.5, -9, 3.5, 99);
    add_box(1.5, 1.5, 3.5, 99);
    add_box(1.5, -9, 3.5, 2.5);
    add_box(50, 50, 60, 60);
    for (const auto &[rows, cols] : {std::pair{5, 9}, {1, 9}, {9, 1}, {1, 1}, {0, 4}, {4, 0}})
        expect_counts(features, rows, cols, {});
}

TEST(Coco, LargeNumbers)
{
    constexpr std::int64_t size = std::int64_t{1} << 31;
    const auto far = static_cast<double>(size);
    const std::vector<double> triangle = {far - 9, far / 2, far - 3, far / 2, far - 3, far / 2 + 5};
    const Offsets ring = {0, 3};
    const ColumnCounts found = column_counts({triangle, ring}, {{size, size}});
    EXPECT_EQ(std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t{0}),
              size * size);
    EXPECT_EQ(counts_of_text(coco_text({triangle, ring}, {{size, size}}).text), found.counts);
}

TEST(Coco, ReadingGivesTheMask)
{
    Random random(62);
    for (int i = 0; i < 300; ++i) {
        const std::int64_t rows = random.integer(1, 9), cols = random.integer(1, 9);
        const std::int64_t density = random.integer(0, 8);
        Bytes mask(static_cast<std::size_t>(rows * cols));
        for (std::uint8_t &pixel : mask)
            pixel = random.integer(0, 7) < density;
        const Counts counts = counts_of_mask(mask, rows, cols);
        EXPECT_EQ(runs_of_counts(counts, {rows, cols}), runs_of_mask(mask, rows, cols));
        const Outlines found = outlines_of_counts(counts, {rows, cols});
        const Outlines wanted = mask_to_rings({mask, {rows, cols}});
        EXPECT_EQ(found.vertices, wanted.vertices);
        EXPECT_EQ(found.ring_offsets, wanted.ring_offsets);
        EXPECT_EQ(found.polygon_offsets, wanted.polygon_offsets);
    }
}

TEST(Coco, CountsOfZeroAndRunsOfManyColumns)
{
    EXPECT_EQ(runs_of_counts(Counts{0, 1, 0, 2, 0, 0, 0, 1}, {2, 2}), (Runs{{0, 0, 2}, {1, 0, 2}}));
    EXPECT_EQ(runs_of_counts(Counts{1, 5, 0}, {2, 3}), (Runs{{0, 1, 3}, {1, 0, 3}}));
    EXPECT_EQ(runs_of_counts(Counts{}, {0, 3}), Runs{});
    const std::int64_t size = std::int64_t{1} << 60; /* the time does not depend on the columns */
    EXPECT_EQ(runs_of_counts(Counts{3, 4 * size - 6, 3}, {4, size}),
              (Runs{{0, 1, size}, {1, 1, size - 1}, {2, 1, size - 1}, {3, 0, size - 1}}));
}

/* A vector with an element per row or column would take 2^64 bytes. */
TEST(Coco, FewPixelsFarApart)
{
    const std::int64_t size = std::int64_t{1} << 61;
    const Counts far = {0, 1, size - 2, 1};
    EXPECT_EQ(runs_of_counts(far, {size, 1}), (Runs{{0, 0, 1}, {size - 1, 0, 1}}));
    EXPECT_EQ(runs_of_counts(far, {1, size}), (Runs{{0, 0, 1}, {0, size - 1, size}}));
    EXPECT_THROW(static_cast<void>(outlines_of_counts(far, {size, 1})), std::invalid_argument);
    for (const std::int64_t rows : {size, 2 * size})
        EXPECT_THROW(static_cast<void>(runs_of_counts(Counts{0, rows}, {rows, 1})), std::bad_alloc);
    const std::int64_t most = (std::int64_t{1} << 31) - 2;
    const auto end = static_cast<double>(most);
    EXPECT_EQ(outlines_of_counts(Counts{0, 1, most * most - 2, 1}, {most, most}).vertices,
              (std::vector<double>{0, 0, 1, 0, 1, 1, 0, 1, end - 1, end - 1, end, end - 1, end, end,
                                   end - 1, end}));
    Features features;
    for (const double x : {0.0, 0x1p40}) {
        features.add_ring({x, 0, x + 1, 0, x + 1, 1, x, 1});
        features.end_polygon();
    }
    features.end_feature();
    const std::int64_t cols = std::int64_t{1} << 41;
    EXPECT_EQ(column_counts(features.view(), {{2, cols}}).counts,
              (Counts{0, 4, cols - 4, 4, cols - 4}));
}

TEST(Coco, TextsOfLargeNumbers)
{
    Random random(63);
    for (int i = 0; i < 300; ++i) {
        Counts counts;
        for (std::int64_t n = random.integer(0, 9); n > 0; --n)
            counts.push_back(random.integer(0, std::int64_t{1} << random.integer(0, 62)));
        EXPECT_EQ(polymask::counts_of_text(text_of_counts(counts)), counts);
    }
}

TEST(Coco, RefusedTextsAndCounts)
{
    for (const char *text : {"0P", "/", "p", "0 1", "oooooooooooooo0", "O", "00l", "PPPPPPPPPPPP@",
                             "oooooooooooo8", "oooooooooooo@"})
        EXPECT_THROW(static_cast<void>(polymask::counts_of_text(text)), std::invalid_argument)
            << text;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const Counts &counts : {Counts{}, {3, 2}, {3, 4}, {3, -1, 4}, {most, most, 8}})
        EXPECT_THROW(static_cast<void>(runs_of_counts(counts, {2, 3})), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(runs_of_counts(Counts{}, {-1, 3})), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(runs_of_counts(Counts{}, {most, 3})), std::invalid_argument);
}

TEST(Coco, WhatIsRefused)
{
    const std::vector<double> line = {1, 1, 8, 1};
    const Offsets ring = {0, 2};
    EXPECT_THROW(static_cast<void>(column_counts({line, ring}, {{5, 5}})), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(coco_text({line, ring}, {{5, 5}})), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(coco_text({}, {{-5, 5}})), std::invalid_argument);
}

} // namespace polymask::test
