/* Windows equal their part of the whole, at any position. */

#include <limits>

#include <gtest/gtest.h>

#include "polygons.hpp"

namespace polymask::test
{

class Windows : public testing::TestWithParam<InstructionSet>
{
};

TEST_P(Windows, TilesMakeTheWhole)
{
    Random random(31);
    for (const Kind kind : all_kinds) {
        for (const bool center : {false, true}) {
            const std::int64_t rows = 120, cols = 190;
            const auto vertices = polygon(random, kind, 60, rows, cols);
            Options options;
            options.instruction_set = GetParam();
            options.center = center;
            const Bytes whole = filled({vertices}, rows, cols, options);
            Bytes tiled(whole.size(), 0xee);
            const std::int64_t high = random.integer(7, 50), wide = random.integer(7, 80);
            for (std::int64_t r = 0; r < rows; r += high) {
                for (std::int64_t c = 0; c < cols; c += wide) {
                    const std::int64_t h = std::min(high, rows - r), w = std::min(wide, cols - c);
                    options.row_offset = r;
                    options.column_offset = c;
                    const Bytes tile = filled({vertices}, h, w, options);
                    for (std::int64_t y = 0; y < h; ++y)
                        std::copy_n(tile.begin() + y * w, w, tiled.begin() + (r + y) * cols + c);
                }
            }
            EXPECT_EQ(difference(tiled, whole, cols), "") << name(kind) << ", center " << center;
        }
    }
}

TEST_P(Windows, FarFromTheOrigin)
{
    Random random(32);
    for (const std::int64_t offset :
         {std::int64_t{-7}, std::int64_t{1} << 20, -(std::int64_t{1} << 21), std::int64_t{1} << 22,
          (std::int64_t{1} << 31) - 5, -(std::int64_t{1} << 40), (std::int64_t{1} << 50) - 3,
          (std::int64_t{1} << 53) - 9, -(std::int64_t{1} << 60)}) {
        for (const Kind kind : {Kind::integers, Kind::reals, Kind::degenerate,
                                Kind::through_samples, Kind::diagonals}) {
            for (const bool center : {false, true}) {
                auto vertices = polygon(random, kind, 20, 40, 50);
                for (std::size_t i = 0; i < vertices.size(); i += 2) {
                    vertices[i] += static_cast<double>(offset);
                    vertices[i + 1] -= static_cast<double>(offset);
                }
                Options options;
                options.instruction_set = GetParam();
                options.center = center;
                options.column_offset = offset;
                options.row_offset = -offset;
                const Bytes wanted = rule_mask({vertices}, 40, 50, options);
                EXPECT_EQ(difference(filled({vertices}, 40, 50, options), wanted, 50), "")
                    << "offset " << offset << ", " << name(kind);
                EXPECT_EQ(difference(filled_packed({vertices}, 40, 50, options),
                                     packed(wanted, 40, 50), packed_row_bytes(50)),
                          "")
                    << "packed, offset " << offset;
            }
        }
    }
}

/* Beyond 2^50, where a polygon with such a vertex is filled point by point. */
TEST_P(Windows, FarFromTheOriginWithAVertexFurtherLeft)
{
    Options options;
    options.instruction_set = GetParam();
    options.column_offset = -(std::int64_t{1} << 51);
    const auto o = static_cast<double>(options.column_offset);
    const std::vector<double> vertices = {o + 8, -2, -1e19, -2, o + 4, 0,
                                          o + 1, 7,  o + 1, 5,  o - 2, 8};
    for (const Border border : {Border::inside, Border::half_open}) {
        options.border = border;
        const Bytes wanted = rule_mask({vertices}, 8, 8, options);
        ASSERT_NE(wanted, Bytes(64, 0));
        EXPECT_EQ(difference(filled({vertices}, 8, 8, options), wanted, 8), "")
            << static_cast<int>(border);
        EXPECT_EQ(difference(filled_packed({vertices}, 8, 8, options), packed(wanted, 8, 8), 1), "")
            << "packed, " << static_cast<int>(border);
    }
}

TEST_P(Windows, HalfIntegerPolygonsPartitionTheImage)
{
    /* Four triangles around one inner vertex cover a rectangle: their masks sum to one. */
    const double corners[4][2] = {{-0.5, -0.5}, {99.5, -0.5}, {99.5, 79.5}, {-0.5, 79.5}};
    Options options;
    options.instruction_set = GetParam();
    Bytes sum(80 * 100, 0);
    for (int i = 0; i < 4; ++i) {
        const double *a = corners[i], *b = corners[(i + 1) % 4];
        const std::vector<double> triangle = {a[0], a[1], b[0], b[1], 33.5, 41.5};
        const Bytes mask = filled({triangle}, 80, 100, options);
        for (std::size_t k = 0; k < sum.size(); ++k)
            sum[k] = static_cast<std::uint8_t>(sum[k] + mask[k]);
    }
    EXPECT_EQ(sum, Bytes(80 * 100, 1));
}

INSTANTIATE_TEST_SUITE_P(Every, Windows, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &tested) { return name(tested.param); });

} // namespace polymask::test
