/* Edges with ordered ends: shared edges are crossed at the same place. */

#include <gtest/gtest.h>

#include "polygons.hpp"

namespace polymask::test
{

namespace
{

std::vector<double> reversed(const std::vector<double> &vertices)
{
    std::vector<double> back;
    for (std::size_t i = vertices.size(); i > 0; i -= 2)
        back.insert(back.end(), {vertices[i - 2], vertices[i - 1]});
    return back;
}

} // namespace

class Watertight : public testing::TestWithParam<std::tuple<InstructionSet, Kind>>
{
};

TEST_P(Watertight, EqualsTheRuleOfOrderedEdges)
{
    const auto [set, kind] = GetParam();
    Random random(71);
    std::int64_t moved = 0;
    for (int i = 0; i < 60; ++i) {
        const std::int64_t rows = random.integer(1, 60), cols = random.integer(1, 70);
        const auto vertices = polygon(random, kind, random.integer(3, 30),
                                      static_cast<double>(rows), static_cast<double>(cols));
        Options options;
        options.instruction_set = set;
        options.border = border_of(random.one_in(2));
        options.center = random.one_in(3);
        options.threads = i % 3 == 2 ? 7 : i % 3 + 1;
        const Bytes plain = filled({vertices}, rows, cols, options);
        options.watertight = true;
        const Bytes wanted = rule_mask({vertices}, rows, cols, options);
        const Bytes found = filled({vertices}, rows, cols, options);
        ASSERT_EQ(difference(found, wanted, cols), "") << "polygon " << i;
        ASSERT_EQ(difference(filled({reversed(vertices)}, rows, cols, options), wanted, cols), "")
            << "reversed, polygon " << i;
        moved += plain != found;
    }
    if (kind == Kind::integers || kind == Kind::half_integers || kind == Kind::fractions) {
        EXPECT_EQ(moved, 0);
    }
    if (kind == Kind::diagonals) {
        EXPECT_GT(moved, 0); /* otherwise the option would have no effect */
    }
}

TEST_P(Watertight, ContainsLikewise)
{
    Random random(72);
    const auto vertices = polygon(random, std::get<1>(GetParam()), 30, 50, 60);
    std::vector<double> points = vertices;
    for (int i = 0; i < 2000; ++i)
        points.insert(
            points.end(),
            {static_cast<double>(random.integer(-3, 63)),
             random.one_in(4) ? random.real(-3, 53) : static_cast<double>(random.integer(-3, 53))});
    for (const Border border : {Border::outside, Border::inside}) {
        Bytes out(points.size() / 2, 0xee);
        const Options options = {.border = border, .watertight = true, .threads = 2};
        contains({vertices}, points, out, options.rule(), {.threads = options.threads});
        for (std::size_t i = 0; i < out.size(); ++i)
            ASSERT_EQ(out[i], rule({vertices}, points[2 * i], points[2 * i + 1], options))
                << "point " << i;
    }
}

TEST(WatertightWindow, FarOut)
{
    const std::int64_t offset = std::int64_t{1} << 60;
    const auto far = static_cast<double>(offset);
    const std::vector<double> vertices = {far - 9000, far + 100, far + 9000, far, far, far + 9000};
    Options options;
    options.watertight = true;
    options.row_offset = options.column_offset = offset;
    EXPECT_EQ(
        difference(filled({vertices}, 9, 9, options), rule_mask({vertices}, 9, 9, options), 9), "");
}

INSTANTIATE_TEST_SUITE_P(Every, Watertight,
                         testing::Combine(testing::ValuesIn(available_instruction_sets()),
                                          testing::ValuesIn(all_kinds)),
                         [](const auto &tested) {
                             return std::string(name(std::get<0>(tested.param))) + "_" +
                                    name(std::get<1>(tested.param));
                         });

} // namespace polymask::test
