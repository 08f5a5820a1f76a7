/* Interrupted calls, and calls after them. */

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <thread>

#include "parallel/parallel_for.hpp"
#include "polygons.hpp"
#include "polymask/coverage.hpp"
#include "polymask/crops.hpp"
#include "polymask/interruption.hpp"
#include "polymask/labels.hpp"
#include "polymask/outlines.hpp"
#include "polymask/runs.hpp"
#include "polymask/statistics.hpp"
#include "polymask/touched.hpp"

namespace polymask::test
{

namespace
{

struct Asked {
    int times = 0, until = 1;
    std::chrono::milliseconds between{0};
    Interruption interruption{[](void *context) noexcept {
                                  Asked &asked = *static_cast<Asked *>(context);
                                  return ++asked.times >= asked.until;
                              },
                              this, between};
};

/* Enough vertices for many polls per call; each poll asks in these tests. */
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
    EXPECT_THROW(fill_mask({tangle()}, with_threads(GetParam()).grid(size, size), out,
                           with_threads(GetParam()).rule(), with_threads(GetParam()).output(),
                           with_threads(GetParam()).work()),
                 Interrupted);
    EXPECT_EQ(asked.times, 1);
}

/* Few columns, so that the buffer has room for rows that take seconds. */
TEST_P(Interrupting, StopsAMaskWithoutAnException)
{
    Bytes out(static_cast<std::size_t>(size * packed_row_bytes(size)));
    const Asked asked;
    EXPECT_EQ(fill_packed_unchecked({tangle()}, with_threads(GetParam()).grid(size, size),
                                    out.data(), with_threads(GetParam()).rule(),
                                    with_threads(GetParam()).output(),
                                    with_threads(GetParam()).work()),
              Status::interrupted);
}

TEST_P(Interrupting, StopsPoints)
{
    Bytes out(50'000);
    const std::vector<double> points(100'000, 3000.5);
    const Asked asked;
    EXPECT_THROW(contains({tangle()}, points, out, {}, {.threads = GetParam()}), Interrupted);
}

TEST_P(Interrupting, StopsManyPolygons)
{
    const std::vector<std::int64_t> rings = {0, 50'000, 100'000};
    std::vector<PixelSums> sums(2);
    std::vector<std::int32_t> labels(static_cast<std::size_t>(size * size));
    const Polygons polygons{tangle(), rings};
    {
        const Asked asked;
        EXPECT_THROW(pixel_sums(polygons, with_threads(GetParam()).grid(size, size), sums,
                                with_threads(GetParam()).selection(),
                                with_threads(GetParam()).work()),
                     Interrupted);
    }
    const Asked asked;
    EXPECT_THROW(fill_labels<std::int32_t>(
                     polygons, with_threads(GetParam()).grid(size, size), {}, labels, OnTop::last,
                     with_threads(GetParam()).selection(), with_threads(GetParam()).output(),
                     with_threads(GetParam()).work()),
                 Interrupted);
}

INSTANTIATE_TEST_SUITE_P(Threads, Interrupting, testing::Values(1, 3));

/* With one thread, because the number of the caller's bands is unknown with several. */
TEST(Interruption, StopsATallMask)
{
    constexpr std::int64_t rows = 200'000;
    Random random(85);
    std::vector<double> vertices;
    for (int i = 0; i < 100'000; ++i) {
        vertices.push_back(random.real(0, 4));
        vertices.push_back(random.real(0, rows));
    }
    Bytes out(4 * rows);
    Asked asked;
    asked.until = 20; /* some calls are before the first band */
    EXPECT_THROW(fill_mask({vertices}, with_threads(1).grid(rows, 4), out, with_threads(1).rule(),
                           with_threads(1).output(), with_threads(1).work()),
                 Interrupted);
}

/* A helper processes one large polygon: the caller, which has nothing left to do, asks, and the
 * helper stops within the polygon. */
TEST(Interruption, StopsHelpersThatHoldAllThatIsLeft)
{
    const auto caller = std::this_thread::get_id();
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::atomic<bool> begun = false, heard = false;
    const auto late = [&] { return std::chrono::steady_clock::now() > deadline; };
    const auto make = [&] {
        return [&](std::int64_t) {
            if (std::this_thread::get_id() == caller) {
                while (!begun && !late())
                    std::this_thread::yield();
                return;
            }
            begun = true;
            try {
                while (!late())
                    Interruption::stop_if_asked();
            } catch (const Interrupted &) {
                heard = true;
                throw;
            }
        };
    };
    const Asked asked;
    EXPECT_THROW(detail::parallel_for({2, {}}, 2, make), Interrupted);
    EXPECT_TRUE(begun);
    EXPECT_TRUE(heard);
    EXPECT_EQ(asked.times, 1);
}

/* Rows with two crossings and many pixels each. */
TEST(Interruption, StopsCallsThatReadAndWriteManyPixels)
{
    constexpr std::int64_t rows = 300, cols = 50'000;
    const std::vector<double> square = {-1, -1, 2. * cols, -1, 2. * cols, rows, -1, rows};
    const std::vector<std::int64_t> rings = {0, 4};
    const Polygons polygons{square, rings};
    const Bytes pixels(static_cast<std::size_t>(rows * cols));
    Bytes out(pixels.size());
    std::vector<Statistics<std::uint8_t>> found(1);
    Asked asked;
    asked.until = 2;
    EXPECT_THROW(statistics<std::uint8_t>(polygons, with_threads(1).grid(rows, cols), {pixels},
                                          found, with_threads(1).selection(),
                                          with_threads(1).work()),
                 Interrupted);
    asked.times = 0;
    const MaskCropper cropper(polygons, with_threads(1).grid(rows, cols),
                              with_threads(1).selection(), with_threads(1).work());
    const std::vector<Box> boxes = {{0, rows, 0, cols}};
    EXPECT_THROW(cropper.fill(0, boxes, out), Interrupted);
}

TEST(Interruption, StopsSquares)
{
    std::vector<float> out(static_cast<std::size_t>(size * size));
    Bytes touched(out.size());
    {
        const Asked asked;
        EXPECT_THROW(coverage({tangle()}, {{size, size}}, out), Interrupted);
    }
    const Asked asked;
    EXPECT_THROW(fill_touched({tangle()}, {{size, size}}, touched), Interrupted);
}

TEST(Interruption, StopsOutlines)
{
    Random random(84);
    Bytes noise(static_cast<std::size_t>(size * size));
    for (std::uint8_t &pixel : noise)
        pixel = random.one_in(2);
    const Asked asked;
    EXPECT_THROW(static_cast<void>(trace_mask({noise, {size, size}})), Interrupted);
}

/* Calls with enough edges in one row to poll within it: one band, one part. */
class InterruptingARow : public testing::Test
{
  protected:
    static constexpr std::int64_t cols = 3000;

    const std::vector<double> &vertices() const
    {
        static const std::vector<double> made = [] {
            Random random(85);
            std::vector<double> some;
            for (int i = 0; i < 200'000; ++i) {
                some.push_back(random.real(0, cols));
                some.push_back(random.real(-1, 2));
            }
            return some;
        }();
        return made;
    }

    /* Expects that the call asks and continues, and that it stops at the first and at the last
     * question if the answer is yes. */
    template <class Call> void expect_heard(Call call) const
    {
        Asked always_no;
        always_no.until = std::numeric_limits<int>::max();
        call();
        ASSERT_GT(always_no.times, 1);
        for (const int until : {1, always_no.times}) {
            Asked asked;
            asked.until = until;
            EXPECT_THROW(call(), Interrupted);
            EXPECT_EQ(asked.times, until);
        }
    }
};

TEST_F(InterruptingARow, AsksInAMask)
{
    Bytes out(static_cast<std::size_t>(cols));
    expect_heard([&] { fill_mask({vertices()}, {{1, cols}}, out); });
    fill_mask({vertices()}, {{1, cols}}, out);
    EXPECT_EQ(out, filled({vertices()}, 1, cols));
    const Asked asked;
    EXPECT_EQ(fill_mask_unchecked({vertices()}, with_threads(1).grid(1, cols), out.data(),
                                  with_threads(1).rule(), with_threads(1).output(),
                                  with_threads(1).work()),
              Status::interrupted);
}

TEST_F(InterruptingARow, AsksInManyRings)
{
    std::vector<std::int64_t> rings;
    for (std::int64_t first = 0; first < 200'000; first += 8)
        rings.push_back(first);
    Bytes out(static_cast<std::size_t>(cols));
    expect_heard([&] { fill_mask({vertices(), rings}, {{1, cols}}, out); });
    expect_heard([&] { fill_touched({vertices(), rings}, {{1, cols}}, out); });
}

TEST_F(InterruptingARow, AsksInSquares)
{
    std::vector<float> out(static_cast<std::size_t>(cols));
    Bytes touched(out.size());
    expect_heard([&] { coverage({vertices()}, {{1, cols}}, out); });
    expect_heard([&] { fill_touched({vertices()}, {{1, cols}}, touched); });
}

TEST_F(InterruptingARow, AsksInRuns)
{
    const std::vector<std::int64_t> rings = {0, 200'000};
    const Polygons polygons{vertices(), rings};
    std::vector<std::int64_t> counts(1);
    Options touched;
    touched.touched = Squares::open;
    /* Also so wide that columns are sorted instead of set as bits. */
    for (const std::int64_t wide : {cols, std::int64_t{1} << 29})
        for (const Options &options : {Options(), touched})
            expect_heard([&] {
                pixel_counts(polygons, options.grid(1, wide), counts, options.selection(),
                             options.work());
            });
}

TEST(Interruption, AsksBeforeEachPartButTheFirst)
{
    constexpr std::int64_t cols = std::int64_t{1} << 22;
    const std::vector<double> small = {-1, -1, 3. * cols, -1, -1, 5};
    Bytes out(static_cast<std::size_t>(packed_row_bytes(cols)));
    Asked asked;
    asked.until = 4;
    fill_packed({small}, with_threads(1).grid(1, cols), out, with_threads(1).rule(),
                with_threads(1).output(), with_threads(1).work());
    EXPECT_EQ(asked.times, 2); /* of three polls, as the first one sets the clock */
}

TEST(Interruption, AsksInPointsThatLieFarOut)
{
    constexpr std::int64_t cols = 2;
    Options far = with_threads(1);
    far.column_offset = std::int64_t{1} << 55;
    Bytes out(cols);
    auto vertices = tangle();
    vertices[0] = 0x1p55; /* otherwise the polygon would not reach the window */
    const Asked asked;
    EXPECT_THROW(
        fill_mask({vertices}, far.grid(1, cols), out, far.rule(), far.output(), far.work()),
        Interrupted);
}

TEST(Interruption, AsksNothingInASmallMask)
{
    const std::vector<double> small = {1, 1, 90, 5, 40, 80};
    Bytes out(90 * 100);
    const Asked asked;
    for (int i = 0; i < 3; ++i)
        fill_mask({small}, with_threads(1).grid(90, 100), out, with_threads(1).rule(),
                  with_threads(1).output(), with_threads(1).work());
    EXPECT_EQ(asked.times, 0);
}

TEST(Interruption, AsksInRingsThatAreTwiceThere)
{
    /* Each vertex of one lies on an edge of the other, so all are tested. */
    std::vector<double> vertices;
    for (int ring = 0; ring < 2; ++ring) {
        for (int x = 0; x < 1000; ++x)
            vertices.insert(vertices.end(), {double(x), double(x % 7)});
        vertices.insert(vertices.end(), {999, 9, 0, 9});
    }
    const std::vector<std::int64_t> rings = {0, 1002};
    std::vector<float> out(1);
    Asked asked;
    asked.until = 1000;
    coverage({vertices, rings}, {{1, 1}}, out);
    EXPECT_GT(asked.times, 10);
}

TEST(Interruption, AsksTheInnermostAndGoesOnWhereItSaysNo)
{
    const std::vector<double> small = {1, 1, 90, 5, 40, 80};
    const Bytes right = filled({small}, 90, 100);
    Asked outer;
    {
        Asked inner;
        inner.until = 3;
        Bytes out(static_cast<std::size_t>(size * size));
        EXPECT_THROW(fill_mask({tangle()}, with_threads(1).grid(size, size), out,
                               with_threads(1).rule(), with_threads(1).output(),
                               with_threads(1).work()),
                     Interrupted);
        EXPECT_EQ(inner.times, 3);
        EXPECT_EQ(filled({small}, 90, 100), right);
    }
    EXPECT_EQ(outer.times, 0);
    EXPECT_EQ(filled({small}, 90, 100), right);
    const auto go_on = [] {
        for (int i = 0; i < 2; ++i) /* the first poll may set the clock */
            Interruption::stop_if_asked();
    };
    EXPECT_THROW(go_on(), Interrupted);
    EXPECT_EQ(outer.times, 1);
}

TEST(Interruption, AsksOncePerPause)
{
    const auto begin = std::chrono::steady_clock::now();
    Asked asked{.until = 10, .between = std::chrono::milliseconds(2)};
    const auto go_on = [] {
        for (;;)
            Interruption::stop_if_asked();
    };
    EXPECT_THROW(go_on(), Interrupted);
    EXPECT_GE(std::chrono::steady_clock::now() - begin, asked.until * asked.between);
}

} // namespace polymask::test
