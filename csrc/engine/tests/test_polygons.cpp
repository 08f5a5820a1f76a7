/* Ragged arrays of polygons: their levels, and rejected input. */

#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "polygons.hpp"
#include "polymask/polygons.hpp"

namespace polymask::test
{

namespace
{

using Numbers = std::vector<double>;
using Offsets = std::vector<std::int64_t>;

const Numbers three_triangles = {0, 0, 4, 0, 0, 4, 10, 0, 14, 0, 10, 4, 1, 1, 2, 1, 1, 2};
const Offsets three_rings = {0, 3, 6, 9};

} // namespace

TEST(PolygonsView, LevelsThatAreLeftOutAreOneEach)
{
    const Polygons rings = {three_triangles, three_rings};
    EXPECT_EQ(rings.rings(), 3);
    EXPECT_EQ(rings.polygons(), 3);
    EXPECT_EQ(rings.features(), 3);
    EXPECT_EQ(rings.rings_of(2).first, 2);
    EXPECT_EQ(rings.polygons_of(2).end, 3);
    EXPECT_EQ(rings.vertices_of(2).first, 6);

    const Offsets two = {0, 1, 3}, one_and_an_empty = {0, 2, 2};
    const Polygons all = {three_triangles, three_rings, two, one_and_an_empty};
    EXPECT_EQ(all.polygons(), 2);
    EXPECT_EQ(all.features(), 2);
    EXPECT_EQ(all.rings_of(1).size(), 2);
    EXPECT_EQ(all.polygons_of(0).size(), 2);
    EXPECT_EQ(all.polygons_of(1).size(), 0);

    EXPECT_EQ(Polygons{}.features(), 0);
}

namespace
{

std::string refusal(const Polygons &polygons)
{
    try {
        check(polygons);
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST(PolygonsView, GoodOnesAreAccepted)
{
    EXPECT_EQ(refusal({}), "");
    EXPECT_EQ(refusal({three_triangles, three_rings}), "");
    EXPECT_EQ(refusal({three_triangles, three_rings, Offsets{0, 0, 3}, Offsets{0, 2, 2}}), "");
    EXPECT_EQ(refusal({three_triangles, Offsets{3, 6}}), "");
    EXPECT_EQ(refusal({{}, Offsets{0}, Offsets{0, 0}, Offsets{0, 1, 1}}), "");
}

TEST(PolygonsView, TheFirstWrongThingIsNamed)
{
    EXPECT_EQ(refusal({Numbers{1, 2, 3}, Offsets{0}}),
              "vertices: expected pairs of x and y, got 3 numbers");
    Numbers infinite = three_triangles;
    infinite[9] = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refusal({infinite, three_rings}),
              "vertices: vertex 4 is not finite: (14.000000, inf)");
    EXPECT_EQ(refusal({three_triangles, Offsets{-1, 3}}),
              "ring_offsets: at least 0, the first is -1");
    EXPECT_EQ(refusal({three_triangles, Offsets{0, 6, 3}}),
              "ring_offsets: offset 2 decreases from 6 to 3");
    EXPECT_EQ(refusal({three_triangles, Offsets{0, 10}}),
              "ring_offsets: the last is 10, but there are only 9 vertices");
    EXPECT_EQ(refusal({three_triangles, Offsets{0, 3, 5}}),
              "ring_offsets: a ring has at least 3 vertices, ring 1 has 2");
    EXPECT_EQ(refusal({three_triangles, three_rings, Offsets{0, 4}}),
              "polygon_offsets: the last is 4, but there are only 3 rings");
    EXPECT_EQ(refusal({three_triangles, three_rings, Offsets{0, 3}, Offsets{0, 2}}),
              "feature_offsets: the last is 2, but there are only 1 polygons");
    EXPECT_EQ(refusal({three_triangles, three_rings, {}, Offsets{0, 2, 1}}),
              "feature_offsets: offset 2 decreases from 2 to 1");
}

} // namespace polymask::test
