/* The rule for a row, eight pixels at a time, compared with the rule. */

#include <limits>

#include <gtest/gtest.h>

#include "inside_polygon_branchless.h"
#include "polygons.hpp"
#include "rule_simd.h"

namespace polymask::test
{

TEST(RuleSimd, EqualsTheRule)
{
    Random random(71);
    for (const Kind kind : all_kinds) {
        for (int i = 0; i < 60; ++i) {
            const std::int64_t rows = random.integer(1, 30), cols = random.integer(1, 70);
            const auto vertices = polygon(random, kind, random.integer(3, 30),
                                          static_cast<double>(rows), static_cast<double>(cols));
            Options options;
            options.border = border_of(random.one_in(2));
            Bytes mask(static_cast<std::size_t>(rows * cols), 0xee);
            for (std::int64_t row = 0; row < rows; ++row)
                inside_polygon_row(static_cast<double>(row), cols, vertices.data(),
                                   static_cast<std::int64_t>(vertices.size() / 2),
                                   options.border == Border::inside, mask.data() + row * cols);
            ASSERT_EQ(difference(mask, rule_mask({vertices}, rows, cols, options), cols), "")
                << "polygon " << i << ", " << name(kind);
        }
    }
}

TEST(RuleSimd, CrossingThatIsNotANumber)
{
    /* 0 * infinity: a crossing that is NaN toggles nothing, so the row has only one crossing. */
    constexpr double largest = std::numeric_limits<double>::max();
    const std::vector<double> vertices = {-largest, -largest, largest, largest, 4, -1};
    for (double y = 0; y < 5; ++y) {
        Bytes row(20, 0xee);
        inside_polygon_row(y, 20, vertices.data(), 3, 1, row.data());
        for (int x = 0; x < 20; ++x) {
            const int inside = inside_polygon(x, y, vertices.data(), 3, 1);
            EXPECT_EQ(row[static_cast<std::size_t>(x)], inside);
            EXPECT_EQ(inside_polygon_branchless(x, y, vertices.data(), 3, 1), inside);
        }
    }
}

TEST(RuleSimd, WritesNoByteBehindTheRow)
{
    const std::vector<double> vertices = {-1, -1, 99, -1, 99, 99, -1, 99};
    for (std::int64_t cols = 0; cols < 20; ++cols) {
        Bytes row(32, 0xee), wanted(32, 0xee);
        std::fill_n(wanted.begin(), cols, 1);
        inside_polygon_row(3, cols, vertices.data(), 4, 1, row.data());
        EXPECT_EQ(row, wanted);
    }
}

} // namespace polymask::test
