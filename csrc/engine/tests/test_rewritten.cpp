/* Vertices that the program changes while a call reads them. The mask is then that of the old or
 * the new numbers, and there is no other effect. The function that decides whether to stop changes
 * them, within the call and in its thread, so that it happens at the same place each time. */

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "features.hpp"
#include "polymask/interruption.hpp"
#include "polymask/labels.hpp"
#include "polymask/runs.hpp"

namespace polymask::test
{

namespace
{

/* Overwrites all vertices with `value` when it is first asked; it never stops the call. */
struct Rewriting {
    Rewriting(std::vector<double> &vertices, double value) : rewritten(vertices), by(value) {}
    std::vector<double> &rewritten;
    double by;
    int times = 0;
    Interruption interruption{[](void *context) noexcept {
                                  Rewriting &self = *static_cast<Rewriting *>(context);
                                  if (self.times++ == 0)
                                      std::fill(self.rewritten.begin(), self.rewritten.end(),
                                                self.by);
                                  return false;
                              },
                              this, std::chrono::milliseconds(0)};
};

Options by_one_thread()
{
    Options options;
    options.threads = 1;
    return options;
}

std::int64_t count_of(const std::vector<double> &vertices, std::int64_t rows)
{
    const Offsets rings = {0, static_cast<std::int64_t>(vertices.size() / 2)};
    std::int64_t count = -1;
    pixel_counts({vertices, rings}, by_one_thread().grid(rows, 64), {&count, 1},
                 by_one_thread().selection(), by_one_thread().work());
    return count;
}

/* Enough vertices for two polls while the crossings of a polygon are counted. */
constexpr int many = 150'000;

struct Shape {
    const char *name;
    double height, swing; /* of all edges together, and of each edge, in rows */
};

} // namespace

class Rewritten : public testing::TestWithParam<Shape>
{
};

TEST_P(Rewritten, APolygonIsOfTheVerticesThatItHadFirst)
{
    const auto [name, height, swing] = GetParam();
    Random random(91);
    std::vector<double> vertices;
    for (int i = 0; i < many; ++i) {
        vertices.push_back(random.real(0, 60));
        vertices.push_back(height * i / many + (i % 2 != 0 ? swing : 0));
    }
    const auto rows = static_cast<std::int64_t>(height + swing) + 1;
    const std::int64_t count = count_of(vertices, rows);
    for (const double value : {1e9, -1e300, std::numeric_limits<double>::quiet_NaN()}) {
        std::vector<double> given = vertices;
        const Rewriting rewriting(given, value);
        EXPECT_EQ(count_of(given, rows), count) << value;
        EXPECT_GT(rewriting.times, 0);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Rewritten,
                         testing::Values(Shape{"chains", 60'000, 0}, Shape{"rows", 60'000, 3},
                                         Shape{"bits", 50, 20}),
                         [](const auto &shape) { return shape.param.name; });

/* All were finite when they were checked: later, other numbers count as 0. */
TEST(RewrittenFeatures, AreOfZerosWhereNothingFiniteIsLeft)
{
    constexpr std::int64_t count = 400, size = 20;
    for (const bool touched : {false, true}) {
        for (const double value :
             {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
            Features triangles;
            for (int i = 0; i < count; ++i) {
                triangles.add_ring({2.5, 3.5, 9.5, 4.5, 5.5, 11.5});
                triangles.end_polygon();
                triangles.end_feature();
            }
            Options options = by_one_thread();
            if (touched)
                options.touched = Squares::closed;
            std::vector<std::int64_t> counts(count);
            pixel_counts(triangles.view(), options.grid(size, size), counts, options.selection(),
                         options.work());
            const std::int64_t of_triangle = counts.front();
            const Rewriting rewriting(triangles.vertices, value);
            pixel_counts(triangles.view(), options.grid(size, size), counts, options.selection(),
                         options.work());
            EXPECT_EQ(counts.front(), of_triangle);
            EXPECT_EQ(counts.back(), 1); /* the sample or square at the origin */
        }
    }
}

} // namespace polymask::test
