/* Calls that are stopped, and calls after them. */

#include <gtest/gtest.h>

#include "polygons.hpp"
#include "polymask/coverage.hpp"
#include "polymask/interruption.hpp"
#include "polymask/labels.hpp"
#include "polymask/outlines.hpp"
#include "polymask/runs.hpp"
#include "polymask/touched.hpp"

namespace polymask::test
{

namespace
{

struct Asked {
    int times = 0, until = 1;
    Interruption interruption{[](void *context) noexcept {
                                  Asked &asked = *static_cast<Asked *>(context);
                                  return ++asked.times >= asked.until;
                              },
                              this, std::chrono::milliseconds(0)};
};

/* So many vertices that each call has many chances to ask, which it does at each here. */
const std::vector<double> &tangle()
{
    static const std::vector<double> vertices = [] {
        Random random(83);
        std::vector<double> made;
        for (int i = 0; i < 200'000; ++i)
            made.push_back(random.real(0, 6000));
        return made;
    }();
    return vertices;
}

constexpr std::int64_t size = 6000;

Options with_threads(int threads)
{
    Options options;
    options.threads = threads;
    return options;
}

} // namespace

class Interrupting : public testing::TestWithParam<int>
{
};

TEST_P(Interrupting, StopsAMask)
{
    Bytes out(static_cast<std::size_t>(size * size));
    const Asked asked;
    EXPECT_THROW(fill_mask({tangle()}, size, size, out, with_threads(GetParam())), Interrupted);
    EXPECT_EQ(asked.times, 1);
}

TEST_P(Interrupting, StopsAMaskWithoutAnException)
{
    Bytes out(static_cast<std::size_t>(size * packed_row_bytes(size)));
    const Asked asked;
    EXPECT_EQ(fill_packed_unchecked({tangle()}, size, size, out.data(), with_threads(GetParam())),
              Status::interrupted);
}

TEST_P(Interrupting, StopsPoints)
{
    Bytes out(50'000);
    const std::vector<double> points(100'000, 3000.5);
    const Asked asked;
    EXPECT_THROW(contains({tangle()}, points, out, true, GetParam()), Interrupted);
}

TEST_P(Interrupting, StopsManyPolygons)
{
    const std::vector<std::int64_t> rings = {0, 50'000, 100'000};
    std::vector<PixelSums> sums(2);
    std::vector<std::int32_t> labels(static_cast<std::size_t>(size * size));
    const Polygons polygons{tangle(), rings};
    {
        const Asked asked;
        EXPECT_THROW(pixel_sums(polygons, size, size, sums, with_threads(GetParam())), Interrupted);
    }
    const Asked asked;
    EXPECT_THROW(fill_labels<std::int32_t>(polygons, {}, size, size, labels, OnTop::last,
                                           with_threads(GetParam())),
                 Interrupted);
}

INSTANTIATE_TEST_SUITE_P(Threads, Interrupting, testing::Values(1, 3));

TEST(Interruption, StopsSquares)
{
    std::vector<float> out(static_cast<std::size_t>(size * size));
    Bytes touched(out.size());
    {
        const Asked asked;
        EXPECT_THROW(coverage({tangle()}, size, size, out), Interrupted);
    }
    const Asked asked;
    EXPECT_THROW(fill_touched({tangle()}, size, size, touched), Interrupted);
}

TEST(Interruption, StopsOutlines)
{
    Random random(84);
    Bytes noise(static_cast<std::size_t>(size * size));
    for (std::uint8_t &pixel : noise)
        pixel = random.one_in(2);
    const Asked asked;
    EXPECT_THROW(static_cast<void>(trace_mask({noise, size, size})), Interrupted);
}

TEST(Interruption, AsksTheInnermostAndGoesOnWhereItSaysNo)
{
    const std::vector<double> small = {1, 1, 90, 5, 40, 80};
    const Bytes right = filled({small}, 90, 100);
    const Asked outer;
    {
        Asked inner;
        inner.until = 3;
        Bytes out(static_cast<std::size_t>(size * size));
        EXPECT_THROW(fill_mask({tangle()}, size, size, out, with_threads(1)), Interrupted);
        EXPECT_EQ(inner.times, 3);
        EXPECT_EQ(filled({small}, 90, 100), right);
    }
    EXPECT_EQ(outer.times, 0);
    EXPECT_EQ(filled({small}, 90, 100), right);
}

} // namespace polymask::test
