/* Signs of differences of products, for numbers whose result is known, even if it is tiny. */

#include <limits>

#include <gtest/gtest.h>

#include "coverage/rings.hpp"
#include "polygons.hpp"

namespace polymask::test
{

using detail::compare_products;
using detail::crossing_beyond;

TEST(Exact, SmallWholeNumbers)
{
    Random random(81);
    for (int i = 0; i < 20000; ++i) {
        double v[8];
        for (double &one : v)
            one = static_cast<double>(random.integer(-9, 9));
        const double exact = (v[0] - v[1]) * (v[2] - v[3]) - (v[4] - v[5]) * (v[6] - v[7]);
        /* powers of two do not change signs, even if products underflow or overflow */
        for (const double scale : {1.0, 0x1p-1070, 0x1p1000, 0x1p-600, 0x1p600})
            ASSERT_EQ(compare_products(v[0] * scale, v[1] * scale, v[2], v[3], v[4], v[5],
                                       v[6] * scale, v[7] * scale),
                      (exact > 0) - (exact < 0));
    }
}

TEST(Exact, LastBits)
{
    /* (1 + e) (1 - e) is less than 1, by e^2 */
    for (const double e : {0x1p-52, 0x1p-40, 0x1p-30}) {
        EXPECT_EQ(compare_products(1 + e, 0, 1 - e, 0, 1, 0, 1, 0), -1);
        EXPECT_EQ(compare_products(1, 0, 1, 0, 1 + e, 0, 1 - e, 0), 1);
    }
    /* differences that are rounded: (1 + 2^-80) 1 compared with 1 */
    EXPECT_EQ(compare_products(1, -0x1p-80, 1, 0, 1, 0, 1, 0), 1);
    EXPECT_EQ(compare_products(1, 0x1p-80, 1, 0, 1, 0, 1, 0), -1);
    EXPECT_EQ(compare_products(1, 0x1p-80, 3, 0, 3, 0x3p-80, 1, 0), 0);
    const double most = std::numeric_limits<double>::max(),
                 least = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(compare_products(most, -most, most, -most, most, -most, most, -most), 0);
    EXPECT_EQ(compare_products(most, -most, most, -least, most, -most, most, 0), 1);
    EXPECT_EQ(compare_products(least, 0, least, 0, least, 0, 2 * least, 0), -1);
    EXPECT_EQ(compare_products(least, -most, least, 0, least, 0, most, 0), 1);
}

TEST(Exact, PointsOnAnEdge)
{
    Random random(82);
    for (int i = 0; i < 2000; ++i) {
        /* the middle of p and p + 2 q, exactly on the edge, and its neighbours */
        const double x1 = static_cast<double>(random.integer(-1000, 1000)) + 0.125,
                     y1 = static_cast<double>(random.integer(-1000, 1000)) + 0.5,
                     dx = static_cast<double>(random.integer(-999, 999)) / 1024,
                     dy = static_cast<double>(random.integer(1, 999)) / 1024;
        const auto beyond = [&](double x) {
            return crossing_beyond(x, y1 + dy, x1, y1, x1 + 2 * dx, y1 + 2 * dy);
        };
        EXPECT_EQ(beyond(x1 + dx), 0);
        EXPECT_EQ(beyond(std::nextafter(x1 + dx, 1e9)), -1);
        EXPECT_EQ(beyond(std::nextafter(x1 + dx, -1e9)), 1);
    }
}

} // namespace polymask::test
