/* Fractions: compared with clipped polygons, partitions, windows and samples. */

#include <algorithm>
#include <array>
#include <random>

#include <gtest/gtest.h>

#include "polymask/coverage.hpp"
#include "polymask/interruption.hpp"
#include "references.hpp"

namespace polymask::test
{

namespace
{

using Floats = std::vector<float>;

Floats covered(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
               const Options &options = {})
{
    Floats out(static_cast<std::size_t>(rows * cols), -7.0f);
    coverage(polygon, options.grid(rows, cols), out, options.output(), options.instruction_set);
    return out;
}

/* Returns a ring that does not cross itself: its vertices are sorted by their direction. */
std::vector<double> star(Random &random, int n, double x, double y, double from, double to)
{
    std::vector<double> ring;
    for (int i = 0; i < n; ++i) {
        const double angle = 6.283185307179586 * (i + random.real(0, 0.9)) / n,
                     radius = random.real(from, to);
        ring.insert(ring.end(), {x + radius * std::cos(angle), y + radius * std::sin(angle)});
    }
    return ring;
}

} // namespace

class Coverage : public testing::TestWithParam<InstructionSet>
{
  protected:
    Options options(bool center = false) const
    {
        return {.center = center, .instruction_set = GetParam()};
    }
};

TEST_P(Coverage, IsTheClippedArea)
{
    Random random(91);
    for (int i = 0; i < 150; ++i) {
        const std::int64_t rows = random.integer(1, 40), cols = random.integer(1, 90);
        const bool center = random.one_in(2);
        const double scale = random.one_in(3) ? 50 : 1;
        const auto ring = star(random, static_cast<int>(random.integer(3, 12)),
                               random.real(0, static_cast<double>(cols)),
                               random.real(0, static_cast<double>(rows)), 1 * scale, 30 * scale);
        const Floats found = covered({ring}, rows, cols, options(center));
        const auto wanted = signed_areas(ring, rows, cols, center ? 0 : 0.5L);
        for (std::size_t k = 0; k < found.size(); ++k) {
            ASSERT_NEAR(found[k], static_cast<double>(std::fabs(wanted[k])), 0x1p-24)
                << "polygon " << i << ", element " << k;
            if (wanted[k] == 0) {
                ASSERT_EQ(found[k], 0);
            }
        }
    }
}

TEST_P(Coverage, RingsInAnyDirection)
{
    Random random(92);
    for (int i = 0; i < 40; ++i) {
        const std::int64_t rows = 60, cols = 70;
        const std::vector<double> rings[] = {
            star(random, 20, 33, 28, 25, 40), star(random, 12, 30, 29, 15, 22),
            star(random, 9, 29, 29.5, 4, 9), star(random, 5, 27.5, 30, 0.1, 1.5)};
        std::vector<long double> wanted(static_cast<std::size_t>(rows * cols));
        Rings polygon;
        for (std::size_t ring = 0; ring < 4; ++ring) {
            const auto areas = signed_areas(rings[ring], rows, cols, 0.5L);
            for (std::size_t k = 0; k < wanted.size(); ++k)
                wanted[k] += ring % 2 == 0 ? std::fabs(areas[k]) : -std::fabs(areas[k]);
        }
        for (const std::size_t ring : {2u, 0u, 3u, 1u}) {
            const auto &one = rings[ring];
            polygon.starts.push_back(static_cast<std::int64_t>(polygon.vertices.size() / 2));
            const bool back = random.one_in(2);
            for (std::size_t k = 0; k < one.size(); k += 2) {
                const std::size_t at = back ? one.size() - 2 - k : k;
                polygon.vertices.insert(polygon.vertices.end(), {one[at], one[at + 1]});
            }
        }
        const Floats found = covered(polygon.view(), rows, cols, options());
        for (std::size_t k = 0; k < found.size(); ++k)
            ASSERT_NEAR(found[k], static_cast<double>(wanted[k]), 0x1p-23) << "element " << k;
    }
}

/* Holes that touch the outer ring, and equal rings. */
TEST_P(Coverage, RingsThatTouch)
{
    const Rings touching = {{0, 0, 8, 0, 8, 8, 0, 8, /**/ 0, 0, 4, 0, 4, 4, 0, 4}, {0, 4}};
    const Floats found = covered(touching.view(), 8, 8, options(true));
    for (std::size_t k = 0; k < 64; ++k)
        EXPECT_EQ(found[k], k / 8 < 4 && k % 8 < 4 ? 0.0f : 1.0f);
    const Rings twice = {{0.3, 0.2, 7, 1, 4, 6.5, /**/ 4, 6.5, 7, 1, 0.3, 0.2}, {0, 3}};
    EXPECT_EQ(covered(twice.view(), 8, 8, options()), Floats(64, 0.0f));
}

TEST_P(Coverage, WindowsEqualTheWhole)
{
    Random random(93);
    for (const Kind kind : all_kinds) {
        const std::int64_t rows = 120, cols = 190;
        const auto vertices = polygon(random, kind, 40, rows, cols);
        Options options = this->options(random.one_in(2));
        const Floats whole = covered({vertices}, rows, cols, options);
        for (const float one : whole)
            ASSERT_TRUE(one >= 0 && one <= 1) << name(kind);
        const std::int64_t high = random.integer(7, 50), wide = random.integer(7, 80);
        for (std::int64_t r = 0; r < rows; r += high) {
            for (std::int64_t c = 0; c < cols; c += wide) {
                const std::int64_t h = std::min(high, rows - r), w = std::min(wide, cols - c);
                options.row_offset = r;
                options.column_offset = c;
                options.out_is_zero = random.one_in(2);
                Floats tile(static_cast<std::size_t>(h * w), options.out_is_zero ? 0.0f : -7.0f);
                coverage({vertices}, options.grid(h, w), tile, options.output(),
                         options.instruction_set);
                for (std::int64_t y = 0; y < h; ++y)
                    for (std::int64_t x = 0; x < w; ++x)
                        ASSERT_EQ(tile[static_cast<std::size_t>(y * w + x)],
                                  whole[static_cast<std::size_t>((r + y) * cols + c + x)])
                            << name(kind) << ", row " << r + y << ", column " << c + x;
            }
        }
    }
}

TEST_P(Coverage, EqualOnAllInstructionSets)
{
    Random random(94);
    Options plain;
    plain.instruction_set = InstructionSet::plain;
    for (const Kind kind : all_kinds)
        for (int i = 0; i < 10; ++i) {
            const std::int64_t rows = random.integer(1, 200), cols = random.integer(1, 300);
            const auto vertices =
                polygon(random, kind, 30, static_cast<double>(rows), static_cast<double>(cols));
            ASSERT_EQ(covered({vertices}, rows, cols, options()),
                      covered({vertices}, rows, cols, plain))
                << name(kind);
        }
}

TEST_P(Coverage, PartitionsSumToOne)
{
    Random random(95);
    const double corners[4][2] = {{-3, -4}, {103, -2}, {101, 85}, {-5, 83}};
    for (int k = 0; k < 20; ++k) {
        const double x = random.real(0, 99), y = random.real(0, 79);
        std::vector<double> sum(80 * 100);
        for (int i = 0; i < 4; ++i) {
            const double *a = corners[i], *b = corners[(i + 1) % 4];
            const std::vector<double> triangle = {a[0], a[1], b[0], b[1], x, y};
            const Floats part = covered({triangle}, 80, 100, options());
            for (std::size_t j = 0; j < sum.size(); ++j)
                sum[j] += static_cast<double>(part[j]);
        }
        for (const double one : sum)
            ASSERT_NEAR(one, 1, 4 * 0x1p-25);
    }
}

TEST_P(Coverage, CrossingRingsAreRightOffTheirCrossings)
{
    /* A bow tie, and a pentagram, whose middle has winding 2 and is outside by even-odd. */
    const std::vector<double> tie = {0, 0, 40, 20, 40, 0, 0, 20};
    const Floats found = covered({tie}, 20, 40, options(true));
    double total = 0;
    for (std::size_t k = 0; k < found.size(); ++k)
        if (k % 40 < 18 || k % 40 > 21)
            total += static_cast<double>(found[k]);
    EXPECT_NEAR(total, 400 - 4, 1e-3);
    const std::vector<double> pentagram = {20, 0, 32, 38, 1, 14, 39, 14, 8, 38};
    const Floats star = covered({pentagram}, 40, 40, options(true));
    EXPECT_EQ(star[20 * 40 + 20], 0.0f);
    EXPECT_EQ(star[5 * 40 + 20], 1.0f);
}

TEST_P(Coverage, SamplesAreAFinerMask)
{
    Random random(96);
    for (const Kind kind : all_kinds) {
        if (kind == Kind::tiny || kind == Kind::huge)
            continue; /* they overflow when multiplied */
        for (const int n : {1, 2, 3, 4, 8, 31}) {
            const std::int64_t rows = random.integer(1, 20), cols = random.integer(1, 30);
            auto vertices =
                polygon(random, kind, 20, static_cast<double>(rows), static_cast<double>(cols));
            Options options = this->options(random.one_in(2));
            options.row_offset = random.integer(-3, 3);
            options.column_offset = random.integer(-3, 3);
            Floats found(static_cast<std::size_t>(rows * cols), -7.0f);
            coverage_samples({vertices}, options.grid(rows, cols), n, found, options.row_stride,
                             options.instruction_set);
            for (double &v : vertices)
                v *= n;
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < cols; ++c) {
                    int count = 0;
                    for (int i = 0; i < n * n; ++i) {
                        const double before = options.center ? 0.5 : 0.5 - n / 2.0;
                        count += rule(
                            {vertices},
                            static_cast<double>(n * (c + options.column_offset) + i % n) + before,
                            static_cast<double>(n * (r + options.row_offset) + i / n) + before);
                    }
                    ASSERT_EQ(found[static_cast<std::size_t>(r * cols + c)],
                              static_cast<float>(count) / static_cast<float>(n * n))
                        << name(kind) << ", " << n << " x " << n;
                }
        }
    }
}

/* More rows than are sampled at once. */
TEST_P(Coverage, SamplesOfATallWindow)
{
    const std::int64_t rows = 4500, cols = 40;
    const std::vector<double> triangle = {3.3, -5, 37.4, 2000.2, 5.1, 4600};
    Options options = this->options(true);
    Floats whole(static_cast<std::size_t>(rows * cols));
    coverage_samples({triangle}, options.grid(rows, cols), 8, whole, options.row_stride,
                     options.instruction_set);
    for (std::int64_t row = 0; row < rows; row += 500) {
        options.row_offset = row;
        Floats part(static_cast<std::size_t>(500 * cols));
        coverage_samples({triangle}, options.grid(500, cols), 8, part, options.row_stride,
                         options.instruction_set);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + row * cols)) << row;
    }
}

/* Heights are rounded to units of a row: the last one may round up to the row below. */
TEST_P(Coverage, HeightsJustAboveABorder)
{
    for (const double less : {0x1p-33, 0x1p-50}) {
        const std::vector<double> square = {0, 1 - less, 4, 1 - less, 4, 3 - less, 0, 3 - less};
        const Floats found = covered({square}, 5, 4, options(true));
        for (std::size_t k = 0; k < found.size(); ++k)
            EXPECT_EQ(found[k], k / 4 == 1 || k / 4 == 2 ? 1.0f : 0.0f) << k;
    }
}

/* Two edges of slope 2 through one row: both begin where all doubles are integers. */
TEST_P(Coverage, OfAVertexFarOut)
{
    const std::vector<double> triangle = {-0x1p53, -0x1p52, 8, 8, 3, 8};
    Options options = this->options(true);
    options.row_offset = 7;
    EXPECT_EQ(covered({triangle}, 1, 8, options), (Floats{0, 0.25f, 0.75f, 1, 1, 1, 0.75f, 0.25f}));
}

TEST_P(Coverage, IsAddedWithoutRounding)
{
    Random random(19);
    Options options = this->options(true);
    const auto one = star(random, 9, 5, 4, 1, 4), other = star(random, 7, 12, 6, 1, 5);
    constexpr std::int64_t rows = 11, cols = 19;
    std::vector<double> sums(rows * cols, 0.25);
    add_coverage({one}, options.grid(rows, cols), sums, options.row_stride,
                 options.instruction_set);
    const Floats of_one = covered({one}, rows, cols, options);
    for (std::size_t i = 0; i < sums.size(); ++i)
        ASSERT_EQ(static_cast<float>(sums[i] - 0.25), of_one[i]) << "pixel " << i;
    add_coverage({other}, options.grid(rows, cols), sums, options.row_stride,
                 options.instruction_set);
    add_coverage({one}, options.grid(rows, cols), sums, options.row_stride,
                 options.instruction_set);
    std::vector<double> in_turns(rows * cols, 0.25);
    for (const auto *ring : {&one, &one, &other})
        add_coverage({*ring}, options.grid(rows, cols), in_turns, options.row_stride,
                     options.instruction_set);
    EXPECT_EQ(sums, in_turns);
    EXPECT_THROW(add_coverage({one}, {{rows, cols}}, std::span(sums).first(5)),
                 std::invalid_argument);
}

/* Squares with holes, one in the middle of each pixel, in any order and direction; in the end also
 * a ring around them. Work is counted: 29,000 rings have 800 million pairs. */
TEST(CoverageRings, ManyTakeTimeForEachAndNotForEachPair)
{
    constexpr std::int64_t size = 120;
    Random random(98);
    std::vector<std::array<double, 3>> all; /* left, top, and side */
    for (int i = 0; i < size * size; ++i)
        for (const double side : {0.5, 0.25})
            all.push_back({i % size - side / 2, std::floor(i / size) - side / 2, side});
    std::shuffle(all.begin(), all.end(), std::mt19937_64(98));
    std::vector<double> vertices;
    std::vector<std::int64_t> starts;
    for (const auto &[x, y, side] : all) {
        starts.push_back(static_cast<std::int64_t>(vertices.size() / 2));
        if (random.one_in(2))
            vertices.insert(vertices.end(), {x, y, x + side, y, x + side, y + side, x, y + side});
        else
            vertices.insert(vertices.end(), {x, y, x, y + side, x + side, y + side, x + side, y});
    }
    int asked = 0;
    const Interruption counted(
        [](void *count) noexcept { return ++*static_cast<int *>(count) < 0; }, &asked,
        std::chrono::milliseconds(0));
    EXPECT_EQ(covered({vertices, starts}, size, size), Floats(size * size, 0.1875f));
    starts.push_back(static_cast<std::int64_t>(vertices.size() / 2));
    for (int i = 0; i < 1000; ++i)
        vertices.insert(vertices.end(), {60 + 100 * std::cos(0.001 * i * 6.283185307179586),
                                         60 + 100 * std::sin(0.001 * i * 6.283185307179586)});
    EXPECT_EQ(covered({vertices, starts}, size, size), Floats(size * size, 1 - 0.1875f));
    EXPECT_LT(asked, 1000);
}

TEST(CoverageBorder, RefusesWhatItCannotDo)
{
    const std::vector<double> triangle = {0, 0, 5, 0, 0, 5};
    Floats out(20, 7.0f);
    const auto refused = [&](auto call) {
        EXPECT_THROW(call(), std::invalid_argument);
        EXPECT_EQ(out, Floats(20, 7.0f));
    };
    Options far;
    far.row_offset = (std::int64_t{1} << 50) - 3;
    refused([&] { coverage({triangle}, far.grid(4, 5), out, far.output(), far.instruction_set); });
    coverage({triangle}, {{0, std::int64_t{1} << 51}}, {}); /* no pixels */
    coverage({triangle}, far.grid(std::int64_t{1} << 51, 0), {});
    refused([&] { coverage({triangle}, {{4, 4}}, out); });
    refused([&] { coverage({std::span(triangle).first(4)}, {{4, 5}}, out); });
    refused([&] { coverage_samples({triangle}, {{4, 5}}, 0, out); });
    refused([&] { coverage_samples({triangle}, {{4, 5}}, 33, out); });
    far.row_offset = std::int64_t{1} << 49;
    refused([&] {
        coverage_samples({triangle}, far.grid(4, 5), 2, out, far.row_stride, far.instruction_set);
    });
    far.row_offset = -far.row_offset;
    refused([&] {
        coverage_samples({triangle}, far.grid(4, 5), 2, out, far.row_stride, far.instruction_set);
    });
    const std::vector<double> large = {0, 0, 1e308, 0, 0, 5};
    refused([&] { coverage_samples({large}, {{4, 5}}, 4, out); });
    coverage({triangle}, {{0, 5}}, {});
    coverage_samples({triangle}, {{5, 0}}, 2, {});
}

INSTANTIATE_TEST_SUITE_P(Every, Coverage, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &tested) { return name(tested.param); });

} // namespace polymask::test
