/* Points: the rule itself. */

#include <gtest/gtest.h>

#include "polygons.hpp"

namespace polymask::test
{

TEST(Contains, EqualsTheRule)
{
    Random random(51);
    for (const Kind kind : all_kinds) {
        Rings rings;
        for (int ring = 0; ring < 3; ++ring) {
            rings.starts.push_back(static_cast<std::int64_t>(rings.vertices.size() / 2));
            const auto more = polygon(random, kind, 20, 50, 60);
            rings.vertices.insert(rings.vertices.end(), more.begin(), more.end());
        }
        std::vector<double> points = rings.vertices; /* the vertices themselves, and others */
        for (int i = 0; i < 1000; ++i) {
            points.push_back(random.real(-20, 80));
            points.push_back(random.one_in(4) ? std::floor(random.real(-20, 70))
                                              : random.real(-20, 70));
        }
        Bytes out(points.size() / 2, 0xee);
        for (const Border border : {Border::outside, Border::inside}) {
            const Options options = {.border = border, .threads = border == Border::inside ? 0 : 3};
            contains(rings.view(), points, out, options.rule(), {.threads = options.threads});
            for (std::size_t i = 0; i < out.size(); ++i)
                ASSERT_EQ(out[i], rule(rings.view(), points[2 * i], points[2 * i + 1], options))
                    << "point " << i << ", " << name(kind);
        }
    }
}

TEST(Contains, AgreesWithTheMask)
{
    Random random(52);
    const auto vertices = polygon(random, Kind::integers, 40, 90, 100);
    std::vector<double> points;
    for (int r = 0; r < 90; ++r)
        for (int c = 0; c < 100; ++c)
            points.insert(points.end(), {static_cast<double>(c), static_cast<double>(r)});
    Bytes out(90 * 100);
    contains({vertices}, points, out);
    EXPECT_EQ(out, filled({vertices}, 90, 100));
}

/* More vertices than a chunk may visit: each point is a chunk. */
TEST(Contains, ManyVertices)
{
    constexpr int count = 300'000;
    std::vector<double> circle;
    for (int i = 0; i < count; ++i) {
        const double angle = i * 2 * 3.14159265358979 / count;
        circle.insert(circle.end(), {10 * std::cos(angle), 10 * std::sin(angle)});
    }
    const std::vector<double> points = {0, 0, 20, 20, 1, 1};
    Bytes out(3, 0xee);
    contains({circle}, points, out);
    EXPECT_EQ(out, (Bytes{1, 0, 1}));
}

TEST(Contains, NoPoints)
{
    const std::vector<double> vertices = {0, 0, 9, 0, 9, 9};
    contains({vertices}, {}, {});
}

} // namespace polymask::test
