/* Bands in tiles of 8 rows x 8 columns, which polygons of many long edges have. */

#include <gtest/gtest.h>

#include "features.hpp"
#include "kernels/kernels.hpp"
#include "mask/bands.hpp"

namespace polymask::test
{

namespace
{

class Tiles : public testing::TestWithParam<InstructionSet>
{
  protected:
    Options options() const
    {
        Options options;
        options.instruction_set = GetParam();
        return options;
    }

    bool is_tiled(const Rings &rings, std::int64_t rows, std::int64_t cols) const
    {
        const auto &kernels = detail::choose_kernels(GetParam());
        return detail::Layout({rows, cols, 0, 0, 0}, cols, false, rings.vertices, 1,
                              kernels.has_tiles)
            .tiled;
    }
    bool has_tiles() const { return detail::choose_kernels(GetParam()).has_tiles; }
};

/* A hostile ring, and one of edges from the top of the image to the bottom. */
Rings hostile(Random &random, Kind kind, std::int64_t rows, std::int64_t cols)
{
    const auto height = static_cast<double>(rows), width = static_cast<double>(cols);
    Rings rings = {polygon(random, kind, 60, height, width), {0}};
    rings.starts.push_back(static_cast<std::int64_t>(rings.vertices.size() / 2));
    for (int i = 0; i < 40; ++i) {
        rings.vertices.push_back(random.real(-0.1, 1.1) * width);
        rings.vertices.push_back(i % 2 * height + random.real(-9, 9));
    }
    return rings;
}

} // namespace

TEST_P(Tiles, EqualTheRule)
{
    Random random(47);
    int tiled = 0, all = 0;
    for (const Kind kind : all_kinds) {
        for (int i = 0; i < 6; ++i) {
            const std::int64_t rows = random.integer(150, 300), cols = random.integer(1, 200);
            const Rings rings = hostile(random, kind, rows, cols);
            Options options = random_options(random);
            options.instruction_set = GetParam();
            options.threads = i % 3 + 1;
            const Bytes wanted = rule_mask(rings.view(), rows, cols, options);
            tiled += is_tiled(rings, rows, cols);
            ++all;

            /* at any alignment and distance of the rows: nothing else is written */
            for (const bool packs : {false, true}) {
                const std::int64_t row = packs ? packed_row_bytes(cols) : cols,
                                   before = random.integer(0, 64);
                options.row_stride = row + (i % 2 == 0 ? 0 : random.integer(0, 70));
                const auto size = static_cast<std::size_t>((rows - 1) * options.row_stride + row);
                Bytes got(static_cast<std::size_t>(before) + size + 64, 0xee), expected = got;
                const Bytes lines = packs ? packed(wanted, rows, cols) : wanted;
                for (std::int64_t r = 0; r < rows; ++r)
                    std::copy_n(lines.begin() + r * row, row,
                                expected.begin() + before + r * options.row_stride);
                (packs ? fill_packed
                       : fill_mask)(rings.view(), options.grid(rows, cols),
                                    std::span(got).subspan(static_cast<std::size_t>(before), size),
                                    options.rule(), options.output(), options.work());
                ASSERT_EQ(difference(got, expected, options.row_stride), "")
                    << name(kind) << " " << i << (packs ? ", packed" : "");
            }
        }
    }
    EXPECT_EQ(tiled > all / 2, has_tiles());
}

/* Edges whose crossing with the last row is some units of 2^-24 beside an integer, and whose steps
 * lose almost a unit or nothing in each lane: without any of the terms of formula.hpp, some lane
 * decides for the wrong column. */
TEST_P(Tiles, LanesDecideOnlyWhatTheyKnow)
{
    constexpr std::int64_t rows = 1024, cols = 200, last = rows - 1, unit = 1 << 16;
    constexpr std::int64_t tol = 1 << 11; /* that of these edges */
    for (const std::int64_t step : {std::int64_t{0x19990000}, std::int64_t{0x1999ffff},
                                    std::int64_t{-0x19990000}, std::int64_t{-0x19990001}}) {
        const std::int64_t start_loses_most = unit - 1 - tol + last * step;
        for (const std::int64_t part : {std::int64_t{0}, unit - 1, unit / 2, start_loses_most}) {
            std::vector<double> vertices;
            for (std::int64_t near = -70; near < 70; ++near) {
                const std::int64_t at_last =
                    (near + 90) * (unit << 24) + near * unit + (part % unit + unit) % unit;
                const auto x = [&](std::int64_t y) {
                    return static_cast<double>(at_last + (y - last) * step) * 0x1p-40;
                };
                vertices.insert(vertices.end(), {x(0), 0, x(rows), static_cast<double>(rows)});
            }
            EXPECT_EQ(is_tiled({vertices, {}}, rows, cols), has_tiles());
            const Bytes mask = filled({vertices}, rows, cols, options());
            for (std::int64_t row = last; row >= 0; row -= 33)
                for (std::int64_t column = 0; column < cols; ++column)
                    ASSERT_EQ(
                        mask[static_cast<std::size_t>(row * cols + column)],
                        rule({vertices}, static_cast<double>(column), static_cast<double>(row)))
                        << "row " << row << ", column " << column << ", step " << step << ", part "
                        << part;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Tiles, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &tested) { return name(tested.param); });

} // namespace polymask::test
