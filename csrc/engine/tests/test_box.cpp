/* The box of a polygon: its position, the bytes accessed, and the mask, which equals the rule. */

#include <limits>

#include <gtest/gtest.h>

#include "polygons.hpp"

namespace polymask::test
{

namespace
{

bool holds(const Box &box, std::int64_t row, std::int64_t column)
{
    return box.top <= row && row < box.bottom && box.left <= column && column < box.right;
}

std::string text(const Box &box)
{
    return "rows " + std::to_string(box.top) + " to " + std::to_string(box.bottom) + ", columns " +
           std::to_string(box.left) + " to " + std::to_string(box.right);
}

/* Returns a polygon of a kind in a small part of the image; huge ones stay huge. */
std::vector<double> somewhere(Random &random, Kind kind, double rows, double cols)
{
    auto vertices = polygon(random, kind, random.integer(3, 12), rows / 9, cols / 9);
    const double x = std::floor(random.real(-0.2 * cols, 1.1 * cols)),
                 y = std::floor(random.real(-0.2 * rows, 1.1 * rows));
    for (std::size_t i = 0; i < vertices.size(); i += 2)
        vertices[i] += x, vertices[i + 1] += y;
    return vertices;
}

} // namespace

TEST(Box, OfAWindowThatReachesFarOut)
{
    const std::vector<double> triangle = {2, 1, 37, 3, 9, 17};
    constexpr std::int64_t far = std::int64_t{1} << 51;
    const Box near = bounding_box({triangle}, {{100, 100}});
    EXPECT_EQ(bounding_box({triangle}, {{far, 100}}), near);
    EXPECT_EQ(bounding_box({triangle}, {{100, far}}), near);
    EXPECT_EQ(bounding_box({triangle}, {.shape = {100, 100}, .row_offset = far}), Box{});
    const std::vector<double> huge = {2, 1, 37, 0x1p41, 9, 17};
    EXPECT_EQ(bounding_box({huge}, {{far, 100}}), (Box{0, far, 0, 100}));
}

TEST(Box, IsTheVerticesAndAColumn)
{
    const std::vector<double> triangle = {10.5, 20.5, 14, 20.5, 12, 23};
    EXPECT_EQ(bounding_box({triangle}, {{100, 100}}), (Box{21, 24, 10, 15}));
    /* a vertex on a sample may be stamped, even the highest one */
    const std::vector<double> whole = {10, 20, 14, 20, 12, 23};
    EXPECT_EQ(bounding_box({whole}, {{100, 100}}), (Box{20, 24, 10, 15}));
    Options options;
    options.center = true;
    EXPECT_EQ(bounding_box({whole}, options.grid(100, 100)), (Box{20, 23, 9, 14}));
    options = {};
    options.row_offset = 15, options.column_offset = 11;
    EXPECT_EQ(bounding_box({whole}, options.grid(100, 100)), (Box{5, 9, 0, 4}));
}

TEST(Box, EndsAtTheImage)
{
    const std::vector<double> around = {-5, -5, 500, -5, 500, 500, -5, 500};
    EXPECT_EQ(bounding_box({around}, {{30, 40}}), (Box{0, 30, 0, 40}));
    const std::vector<double> corner = {-5, -5, 0, -5, 0, 0};
    EXPECT_EQ(bounding_box({corner}, {{30, 40}}), (Box{0, 1, 0, 1}));
    const std::vector<double> other = {39, 29, 80, 29, 80, 90};
    EXPECT_EQ(bounding_box({other}, {{30, 40}}), (Box{29, 30, 39, 40}));
    EXPECT_EQ(bounding_box({around}, {{0, 40}}), (Box{0, 0, 0, 40}));
}

TEST(Box, OutsideOfTheImageIsEmpty)
{
    for (const auto &[x, y] : {std::pair{-90, 0}, {90, 0}, {0, -90}, {0, 90}}) {
        const std::vector<double> vertices = {0.5 + x, 0.5 + y, 9.5 + x, 0.5 + y, 4.5 + x, 9.5 + y};
        const Box box = bounding_box({vertices}, {{30, 40}});
        EXPECT_TRUE(box.rows() == 0 || box.cols() == 0) << text(box);
        EXPECT_GE(box.rows(), 0) << text(box);
        EXPECT_GE(box.cols(), 0) << text(box);
        EXPECT_EQ(filled({vertices}, 30, 40), Bytes(30 * 40, 0));
    }
}

TEST(Box, LeavesTheLeftToWhatIsNoNumber)
{
    /* Infinity over infinity: that edge toggles nothing, and the vertical edge everything up to it.
     */
    const double huge = 1.7e308;
    const std::vector<double> vertices = {20, -huge, 1e300, huge, 20, huge};
    const Bytes wanted = rule_mask({vertices}, 10, 30);
    EXPECT_EQ(bounding_box({vertices}, {{10, 30}}).left, 0);
    EXPECT_EQ(wanted[0], 1);
    EXPECT_EQ(filled({vertices}, 10, 30), wanted);
}

TEST(Box, WantsWhatFillMaskWants)
{
    const std::vector<double> two = {0, 0, 1, 1};
    EXPECT_THROW(static_cast<void>(bounding_box({two}, {{9, 9}})), std::invalid_argument);
    const std::vector<double> triangle = {0, 0, 5, 0, 0, 5};
    EXPECT_THROW(static_cast<void>(bounding_box({triangle}, {{-1, 9}})), std::invalid_argument);
    Options options;
    options.row_offset = std::int64_t{1} << 60; /* samples that are not exact as doubles */
    EXPECT_EQ(bounding_box({triangle}, options.grid(9, 8)), Box{});
    const std::vector<double> far = {0, 0, 0x1p61, 0, 0, 0x1p61};
    EXPECT_EQ(bounding_box({far}, options.grid(9, 8)), (Box{0, 9, 0, 8}));
}

/* The underflow in the proof: half a column left of both ends of an edge. */
TEST(Box, HasRoomForAProductThatUnderflows)
{
    const double least = std::numeric_limits<double>::denorm_min();
    const std::vector<double> vertices = {4.6, -least, 4, 0, 9, 7, 9, -1};
    ASSERT_LT(crossing_x(0, 4.6, -least, 4, 0), 4);
    EXPECT_EQ(filled({vertices}, 9, 12), rule_mask({vertices}, 9, 12));
}

class BoxOfKind : public testing::TestWithParam<InstructionSet>
{
};

TEST_P(BoxOfKind, HoldsAllThatIsInside)
{
    Random random(71);
    for (const Kind kind : all_kinds) {
        for (int i = 0; i < 20; ++i) {
            const std::int64_t rows = random.integer(1, 60), cols = random.integer(1, 300);
            const auto vertices =
                somewhere(random, kind, static_cast<double>(rows), static_cast<double>(cols));
            Options options;
            options.instruction_set = GetParam();
            options.center = random.one_in(3);
            options.border = border_of(!random.one_in(4));
            options.row_offset = random.one_in(2) ? random.integer(-9, 9) : 0;
            options.column_offset = random.one_in(2) ? random.integer(-40, 40) : 0;
            options.threads = static_cast<int>(random.integer(1, 3));
            const Box box = bounding_box({vertices}, options.grid(rows, cols));
            const Bytes wanted = rule_mask({vertices}, rows, cols, options);
            for (std::size_t at = 0; at < wanted.size(); ++at) {
                const auto row = static_cast<std::int64_t>(at) / cols,
                           column = static_cast<std::int64_t>(at) % cols;
                ASSERT_TRUE(wanted[at] == 0 || holds(box, row, column))
                    << name(kind) << ", row " << row << ", column " << column << " outside of "
                    << text(box);
            }
            ASSERT_EQ(difference(filled({vertices}, rows, cols, options), wanted, cols), "")
                << name(kind) << ", " << text(box);
            ASSERT_EQ(difference(filled_packed({vertices}, rows, cols, options),
                                 packed(wanted, rows, cols), packed_row_bytes(cols)),
                      "")
                << "packed, " << name(kind) << ", " << text(box);
        }
    }
}

/* With out_is_zero, nothing else is accessed: marks outside the box stay. */
TEST_P(BoxOfKind, TouchesNothingElse)
{
    Random random(72);
    for (int i = 0; i < 60; ++i) {
        const std::int64_t rows = random.integer(20, 80), cols = random.integer(100, 5000);
        const auto vertices =
            somewhere(random, Kind::reals, static_cast<double>(rows), static_cast<double>(cols));
        Options options;
        options.instruction_set = GetParam();
        options.out_is_zero = true;
        const Box box = bounding_box({vertices}, options.grid(rows, cols));
        if (box.cols() > cols / 2) /* such rows are filled completely */
            continue;
        Bytes wanted = rule_mask({vertices}, rows, cols, options);
        Bytes mask(wanted.size(), 0);
        for (std::size_t at = 0; at < wanted.size(); ++at)
            if (!holds(box, static_cast<std::int64_t>(at) / cols,
                       static_cast<std::int64_t>(at) % cols))
                mask[at] = wanted[at] = 0xee;
        fill_mask({vertices}, options.grid(rows, cols), mask, options.rule(), options.output(),
                  options.work());
        ASSERT_EQ(difference(mask, wanted, cols), "") << text(box);
    }
}

/* Small polygons in images of which all bytes are written by streaming stores. */
TEST_P(BoxOfKind, ZeroesTheRestByAnyStores)
{
    Random random(73);
    for (const Stores stores : {Stores::cached, Stores::prefetched, Stores::streaming}) {
        for (const int threads : {1, 2, 7}) {
            const std::int64_t rows = random.integer(300, 700), cols = random.integer(3000, 9000);
            const double x = random.real(-20, static_cast<double>(cols)),
                         y = random.real(-20, static_cast<double>(rows));
            const std::vector<double> vertices = {x, y, x + 60, y + 3, x + 9, y + 40};
            Options options;
            options.instruction_set = GetParam();
            options.stores = stores;
            options.threads = threads;
            ASSERT_EQ(difference(filled({vertices}, rows, cols, options),
                                 rule_mask({vertices}, rows, cols), cols),
                      "");
        }
    }
}

TEST_P(BoxOfKind, OnePixelAnywhere)
{
    for (const auto &[row, column] : {std::pair<std::int64_t, std::int64_t>{0, 0},
                                      {0, 699},
                                      {40, 0},
                                      {40, 699},
                                      {20, 350},
                                      {20, 63},
                                      {20, 64}}) {
        const auto x = static_cast<double>(column), y = static_cast<double>(row);
        const std::vector<double> vertices = {x - 0.5, y - 0.5, x + 0.5, y - 0.5,
                                              x + 0.5, y + 0.5, x - 0.5, y + 0.5};
        Options options;
        options.instruction_set = GetParam();
        Bytes wanted(41 * 700, 0);
        wanted[static_cast<std::size_t>(row * 700 + column)] = 1;
        EXPECT_EQ(filled({vertices}, 41, 700, options), wanted);
        EXPECT_EQ(filled_packed({vertices}, 41, 700, options), packed(wanted, 41, 700));
    }
}

INSTANTIATE_TEST_SUITE_P(Every, BoxOfKind, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &tested) { return name(tested.param); });

} // namespace polymask::test
