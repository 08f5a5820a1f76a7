/* Run lengths down the columns equal those of the mask, pixel by pixel, and COCO's reader accepts
 * their text. */

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
    const ColumnCounts found = column_counts(polygons, rows, cols, options);
    const CocoText text = coco_text(polygons, rows, cols, options);
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
    const ColumnCounts found = column_counts({triangle, ring}, size, size);
    EXPECT_EQ(std::accumulate(found.counts.begin(), found.counts.end(), std::int64_t{0}),
              size * size);
    EXPECT_EQ(counts_of_text(coco_text({triangle, ring}, size, size).text), found.counts);
}

TEST(Coco, WhatIsRefused)
{
    const std::vector<double> line = {1, 1, 8, 1};
    const Offsets ring = {0, 2};
    EXPECT_THROW(static_cast<void>(column_counts({line, ring}, 5, 5)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(coco_text({line, ring}, 5, 5)), std::invalid_argument);
    EXPECT_THROW(static_cast<void>(coco_text({}, -5, 5)), std::invalid_argument);
}

} // namespace polymask::test
