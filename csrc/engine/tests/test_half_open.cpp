/* No sample is special: polygons that tile the plane contain each sample once, even on vertices. */

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "polygons.hpp"

namespace polymask::test
{

class HalfOpen : public testing::TestWithParam<std::tuple<InstructionSet, Kind>>
{
};

TEST_P(HalfOpen, EqualsTheRuleWithoutAValueForVertices)
{
    const auto [set, kind] = GetParam();
    Random random(91);
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
        options.watertight = random.one_in(2);
        const Bytes stamped = filled({vertices}, rows, cols, options);
        options.border = Border::half_open;
        const Bytes wanted = rule_mask({vertices}, rows, cols, options);
        const Bytes found = filled({vertices}, rows, cols, options);
        ASSERT_EQ(difference(found, wanted, cols), "") << "polygon " << i;
        ASSERT_EQ(filled_packed({vertices}, rows, cols, options), packed(wanted, rows, cols))
            << "polygon " << i;
        moved += stamped != found;
    }
    if (kind == Kind::integers) {
        EXPECT_GT(moved, 0); /* otherwise the option would have no effect */
    }
    if (kind == Kind::half_integers) {
        EXPECT_GT(moved, 0); /* at the centres of pixels */
    }
}

TEST_P(HalfOpen, ContainsLikewise)
{
    Random random(92);
    const auto vertices = polygon(random, std::get<1>(GetParam()), 30, 50, 60);
    std::vector<double> points = vertices;
    for (int i = 0; i < 2000; ++i)
        points.insert(points.end(), {static_cast<double>(random.integer(-3, 63)),
                                     static_cast<double>(random.integer(-3, 53))});
    for (const bool watertight : {false, true}) {
        Bytes out(points.size() / 2, 0xee);
        const Options options = {
            .border = Border::half_open, .watertight = watertight, .threads = 2};
        contains({vertices}, points, out, options.rule(), {.threads = options.threads});
        for (std::size_t i = 0; i < out.size(); ++i)
            ASSERT_EQ(out[i], rule({vertices}, points[2 * i], points[2 * i + 1], options))
                << "point " << i << (watertight ? ", watertight" : "");
    }
}

/* Edges with real-valued ends that meet in a sample: their crossings at that end are exact. */
TEST(HalfOpenTiles, ASampleInTheMiddleOfAFanIsInOneTriangle)
{
    Random random(94);
    const Options options = {.border = Border::half_open, .watertight = true, .threads = 1};
    int rounded = 0;
    for (int fan = 0; fan < 300; ++fan) {
        const std::vector<double> middle = {static_cast<double>(random.integer(0, 5)),
                                            static_cast<double>(random.integer(0, 4))};
        std::vector<double> around;
        for (int i = 0; i < 8; ++i) {
            const double angle = (i + random.real(0, 0.9)) * std::numbers::pi / 4;
            const double far = random.real(1, 30);
            around.insert(around.end(),
                          {middle[0] + far * std::cos(angle), middle[1] + far * std::sin(angle)});
        }
        int filled_once = 0, contained = 0, plain = 0;
        for (std::size_t i = 0; i < 16; i += 2) {
            const std::size_t next = (i + 2) % 16;
            const std::vector<double> triangle = {middle[0],     middle[1],    around[i],
                                                  around[i + 1], around[next], around[next + 1]};
            const auto place = static_cast<std::size_t>(middle[1] * 6 + middle[0]);
            filled_once += filled({triangle}, 5, 6, options)[place];
            Bytes out(1);
            contains({triangle}, middle, out, options.rule(), {.threads = options.threads});
            contained += out[0];
            contains({triangle}, middle, out, {.border = Border::half_open}, {.threads = 1});
            plain += out[0];
        }
        ASSERT_EQ(filled_once, 1) << "fan " << fan;
        ASSERT_EQ(contained, 1) << "fan " << fan;
        rounded += plain != 1;
    }
    EXPECT_GT(rounded, 0); /* otherwise the fans would test nothing */
}

TEST(HalfOpenTiles, EverySampleIsInOneTriangle)
{
    constexpr std::int64_t cells = 9, size = 8;
    for (const unsigned seed : {1u, 2u, 3u}) {
        Random random(seed);
        std::vector<double> at; /* a grid whose inner vertices are moved by whole pixels */
        for (std::int64_t i = 0; i <= cells; ++i)
            for (std::int64_t j = 0; j <= cells; ++j) {
                const auto moved = [&](std::int64_t index) {
                    const bool inner = index > 0 && index < cells;
                    return static_cast<double>(index * size - 1 +
                                               (inner ? random.integer(-1, 1) : 0));
                };
                const double x = moved(j), y = moved(i);
                at.insert(at.end(), {x, y});
            }
        const auto vertex = [&](std::int64_t i, std::int64_t j) {
            return &at[static_cast<std::size_t>(2 * (i * (cells + 1) + j))];
        };
        constexpr std::int64_t rows = cells * size - 1, cols = rows;
        std::vector<int> counts(rows * cols);
        for (std::int64_t i = 0; i < cells; ++i)
            for (std::int64_t j = 0; j < cells; ++j) {
                const double *corners[] = {vertex(i, j), vertex(i, j + 1), vertex(i + 1, j + 1),
                                           vertex(i + 1, j)};
                for (const std::size_t corner : {0u, 2u}) {
                    std::vector<double> triangle;
                    for (std::size_t k = 0; k < 3; ++k) {
                        const double *point = corners[(corner + k) % 4];
                        triangle.insert(triangle.end(), {point[0], point[1]});
                    }
                    const Bytes mask =
                        filled({triangle}, rows, cols, {.border = Border::half_open});
                    for (std::size_t k = 0; k < mask.size(); ++k)
                        counts[k] += mask[k];
                }
            }
        EXPECT_EQ(counts, std::vector<int>(rows * cols, 1)) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, HalfOpen,
                         testing::Combine(testing::ValuesIn(available_instruction_sets()),
                                          testing::ValuesIn(all_kinds)),
                         [](const auto &tested) {
                             return std::string(name(std::get<0>(tested.param))) + "_" +
                                    name(std::get<1>(tested.param));
                         });

} // namespace polymask::test
