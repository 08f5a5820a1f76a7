/* Touched squares: compared with a test of each square and edge, with exact signs. */

#include <algorithm>

#include <gtest/gtest.h>

#include "references.hpp"

namespace polymask::test
{

namespace
{

Bytes touched(const Polygon &polygon, std::int64_t rows, std::int64_t cols, const Options &options)
{
    Bytes mask(static_cast<std::size_t>(rows * cols), 0xee);
    fill_touched(polygon, options.grid(rows, cols), mask, options.squares(), options.output());
    return mask;
}

} // namespace

class Touched : public testing::TestWithParam<Kind>
{
};

TEST_P(Touched, EqualsTheDefinition)
{
    Random random(101);
    for (int i = 0; i < 80; ++i) {
        const std::int64_t rows = random.integer(1, 30), cols = random.integer(1, 40);
        const auto vertices = polygon(random, GetParam(), random.integer(3, 12),
                                      static_cast<double>(rows), static_cast<double>(cols));
        for (const Squares squares : {Squares::closed, Squares::open})
            for (const bool center : {false, true}) {
                const Options options = {.center = center,
                                         .row_offset = random.integer(-5, 5),
                                         .column_offset = random.integer(-5, 5),
                                         .touched = squares};
                ASSERT_EQ(difference(touched({vertices}, rows, cols, options),
                                     by_squares({vertices}, rows, cols, options), cols),
                          "")
                    << "polygon " << i << (squares == Squares::closed ? ", closed" : ", open")
                    << ", center " << center;
            }
    }
}

TEST_P(Touched, TilesMakeTheWhole)
{
    Random random(102);
    const std::int64_t rows = 130, cols = 210;
    const auto vertices = polygon(random, GetParam(), 40, rows, cols);
    for (const Squares squares : {Squares::closed, Squares::open}) {
        Options options = {.touched = squares};
        const Bytes whole = touched({vertices}, rows, cols, options);
        Bytes tiled(whole.size(), 0xee);
        const std::int64_t high = random.integer(7, 50), wide = random.integer(7, 80);
        for (std::int64_t r = 0; r < rows; r += high)
            for (std::int64_t c = 0; c < cols; c += wide) {
                const std::int64_t h = std::min(high, rows - r), w = std::min(wide, cols - c);
                options.row_offset = r;
                options.column_offset = c;
                const Bytes tile = touched({vertices}, h, w, options);
                for (std::int64_t y = 0; y < h; ++y)
                    std::copy_n(tile.begin() + y * w, w, tiled.begin() + (r + y) * cols + c);
            }
        EXPECT_EQ(difference(tiled, whole, cols), "");
    }
}

TEST(TouchedSquares, OnBordersAndCorners)
{
    const Options closed = {.center = true, .touched = Squares::closed},
                  open = {.center = true, .touched = Squares::open};
    const std::vector<double> square = {1, 1, 2, 1, 2, 2, 1, 2};
    EXPECT_EQ(touched({square}, 3, 4, closed), (Bytes{1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0}));
    EXPECT_EQ(touched({square}, 3, 4, open), (Bytes{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0}));
    const std::vector<double> diagonal = {0, 0, 3, 3, 0, 0};
    EXPECT_EQ(touched({diagonal}, 3, 4, closed), (Bytes{1, 1, 0, 0, 1, 1, 1, 0, 0, 1, 1, 1}));
    EXPECT_EQ(touched({diagonal}, 3, 4, open), (Bytes{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}));
    const std::vector<double> point = {1, 1, 1, 1, 1, 1};
    EXPECT_EQ(touched({point}, 3, 3, closed), (Bytes{1, 1, 0, 1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(touched({point}, 3, 3, open), Bytes(9, 0));
}

/* More columns than are processed at once. */
TEST(TouchedSquares, OfAWideWindow)
{
    const std::int64_t rows = 3, cols = (std::int64_t{1} << 20) + 5000, wide = 2500;
    const std::vector<double> triangle = {1000.2, 0.1, 1052000.7, 1.3, 500000.4, 2.4};
    const Bytes whole = touched({triangle}, rows, cols, {});
    for (std::int64_t column = 0; column + wide <= cols; column += wide) {
        const Bytes tile = touched({triangle}, rows, wide, {.column_offset = column});
        for (std::int64_t row = 0; row < rows; ++row)
            ASSERT_TRUE(std::equal(tile.begin() + row * wide, tile.begin() + (row + 1) * wide,
                                   whole.begin() + row * cols + column))
                << "row " << row << ", column " << column;
    }
}

TEST(TouchedSquares, Refused)
{
    const std::vector<double> triangle = {0, 0, 5, 0, 0, 5};
    Bytes out(20, 7);
    const Options far = {.column_offset = -(std::int64_t{1} << 50) - 1};
    EXPECT_THROW(fill_touched({triangle}, far.grid(4, 5), out, far.squares(), far.output()),
                 std::invalid_argument);
    fill_touched({triangle}, {{0, std::int64_t{1} << 51}}, {}); /* no samples */
    fill_touched({triangle}, far.grid(std::int64_t{1} << 51, 0), {});
    EXPECT_THROW(fill_touched({triangle}, {{4, 4}}, out), std::invalid_argument);
    EXPECT_THROW(fill_touched({triangle}, {{-4, -5}}, out), std::invalid_argument);
    EXPECT_THROW(fill_touched({triangle}, {{4, 5}}, out, static_cast<Squares>(77)),
                 std::invalid_argument);
    EXPECT_EQ(out, Bytes(20, 7));
    fill_touched({triangle}, {{0, 5}}, {});
}

INSTANTIATE_TEST_SUITE_P(Every, Touched, testing::ValuesIn(all_kinds),
                         [](const auto &tested) { return name(tested.param); });

} // namespace polymask::test
