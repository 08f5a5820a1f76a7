/* Rejected input: the messages, and that nothing is written. */

#include <functional>
#include <limits>
#include <new>
#include <stdexcept>

#include <gtest/gtest.h>

#include "features.hpp"
#include "polymask/runs.hpp"
#include "polymask/summaries.hpp"

namespace polymask::test
{

namespace
{

std::string refusal(const std::function<void()> &call)
{
    try {
        call();
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
    return "nothing refused";
}

const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};

std::string refusal_of(const Rings &rings, std::int64_t rows = 10, std::int64_t cols = 10,
                       std::size_t size = 100, const Options &options = {})
{
    Bytes out(size, 0xee);
    const std::string text = refusal([&] { fill_mask(rings.view(), rows, cols, out, options); });
    EXPECT_EQ(out, Bytes(size, 0xee)) << "written after: " << text;
    return text;
}

} // namespace

TEST(Border, Vertices)
{
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(refusal_of({{1, 1, 8, 1, 8}, {}}),
              "vertices: expected pairs of x and y, got 5 numbers");
    EXPECT_EQ(refusal_of({{1, 1, 8, 1}, {}}), "vertices: a polygon has at least 3, got 2");
    EXPECT_EQ(refusal_of({{}, {}}), "vertices: a polygon has at least 3, got 0");
    EXPECT_EQ(refusal_of({{1, 1, 8, nan, infinity, 8}, {}}),
              "vertices: vertex 1 is not finite: (8.000000, nan)");
    EXPECT_EQ(refusal_of({{1, 1, 8, 1, -infinity, 8}, {}}),
              "vertices: vertex 2 is not finite: (-inf, 8.000000)");
}

/* Finite coordinates have a finite sum, or one that overflows: each must be found in any place. */
TEST(Border, EachCoordinate)
{
    std::vector<double> vertices(2 * 13, 1e308);
    Bytes out(100, 0xee);
    fill_mask({vertices}, 10, 10, out);
    EXPECT_EQ(out, Bytes(100, 0));
    for (const double usual : {1.0, 1e308}) {
        std::fill(vertices.begin(), vertices.end(), usual);
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            vertices[i] = -std::numeric_limits<double>::infinity();
            const std::string text = "vertices: vertex " + std::to_string(i / 2) + " is not finite";
            EXPECT_EQ(refusal_of({vertices, {}}).rfind(text, 0), 0U) << i;
            vertices[i] = usual;
        }
    }
}

TEST(Border, Rings)
{
    const std::vector<double> six = {1, 1, 8, 1, 8, 8, 2, 2, 4, 2, 4, 4};
    EXPECT_EQ(refusal_of({six, {1, 3}}), "ring_starts: the first ring starts at vertex 0, not 1");
    EXPECT_EQ(refusal_of({six, {0, 4}}),
              "ring_starts: a ring has at least 3 vertices, ring 1 has 2");
    EXPECT_EQ(refusal_of({six, {0, 2}}),
              "ring_starts: a ring has at least 3 vertices, ring 0 has 2");
    EXPECT_EQ(refusal_of({six, {0, 7}}), "ring_starts: ring 0 would be vertices 0 to 7 of 6");
    EXPECT_EQ(refusal_of({six, {0, 4, 3}}), "ring_starts: ring 1 would be vertices 4 to 3 of 6");
}

TEST(Border, EnumeratorsThatAnEnumHasNot)
{
    const Offsets ring = {0, 3};
    Bytes out(100, 7);
    std::vector<std::int64_t> counts(1);
    for (const int number : {-1, 77}) {
        const std::string end = ": " + std::to_string(number) + " is not one of its values";
        const auto refused_by_each = [&](const Options &options, const std::string &wanted) {
            EXPECT_EQ(refusal([&] { fill_mask({triangle}, 10, 10, out, options); }), wanted);
            EXPECT_EQ(
                refusal([&] { contains({triangle}, triangle, std::span(out).first(3), options); }),
                wanted);
            EXPECT_EQ(refusal([&] { pixel_counts({triangle, ring}, 10, 10, counts, options); }),
                      wanted);
            EXPECT_EQ(refusal([&] { Summaries<float>({triangle, ring}, {}, options); }), wanted);
        };
        refused_by_each({.border = static_cast<Border>(number)}, "border" + end);
        refused_by_each({.stores = static_cast<Stores>(number)}, "stores" + end);
        EXPECT_EQ(refusal([&] {
                      pixel_counts({triangle, ring}, 10, 10, counts,
                                   {.touched = static_cast<Squares>(number)});
                  }),
                  "touched" + end);
    }
    EXPECT_EQ(out, Bytes(100, 7));
}

TEST(Border, ShapeAndOut)
{
    EXPECT_EQ(refusal_of({triangle, {}}, -1, 10),
              "shape: rows and columns are at least 0, got (-1, 10)");
    EXPECT_EQ(refusal_of({triangle, {}}, 10, -3),
              "shape: rows and columns are at least 0, got (10, -3)");
    EXPECT_EQ(refusal_of({triangle, {}}, std::int64_t{1} << 40, std::int64_t{1} << 40),
              "shape: (1099511627776, 1099511627776) is beyond the address space");
    EXPECT_EQ(refusal_of({triangle, {}}, 10, 11), "out: expected 110 bytes, got 100");
    EXPECT_EQ(refusal_of({triangle, {}}, 1 << 16, 1 << 16, 0), /* 0 modulo 2^32 */
              "out: expected 4294967296 bytes, got 0");
    EXPECT_EQ(refusal([&] {
                  Bytes out(21);
                  fill_packed({triangle}, 10, 10, out);
              }),
              "out: expected 20 bytes, got 21");
}

TEST(Border, Options)
{
    Options options;
    options.threads = -1;
    EXPECT_EQ(refusal_of({triangle, {}}, 10, 10, 100, options), "threads: at least 0, got -1");
    options = {};
    options.column_offset = std::numeric_limits<std::int64_t>::max() - 5;
    EXPECT_EQ(refusal_of({triangle, {}}, 10, 10, 100, options),
              "offset: (0, 9223372036854775802) plus the shape (10, 10) does not fit 64 bits");
    EXPECT_EQ(refusal_of({triangle, {}}, 0, 10, 0, options),
              "offset: (0, 9223372036854775802) plus the shape (0, 10) does not fit 64 bits");
}

TEST(Border, RowStride)
{
    Options options;
    options.row_stride = 9;
    EXPECT_EQ(refusal_of({triangle, {}}, 10, 10, 100, options), "row_stride: at least 10, got 9");
    options.row_stride = -10;
    EXPECT_EQ(refusal_of({triangle, {}}, 10, 10, 100, options), "row_stride: at least 10, got -10");
    options.row_stride = 11;
    EXPECT_EQ(refusal_of({triangle, {}}, 10, 10, 108, options),
              "out: expected at least 109 bytes, got 108");
    options.row_stride = std::int64_t{1} << 60;
    EXPECT_EQ(refusal_of({triangle, {}}, 10, 10, 100, options),
              "row_stride: 10 rows 1152921504606846976 apart are beyond the address space");
}

TEST(Border, Points)
{
    Bytes out(2);
    const std::vector<double> odd = {1, 2, 3}, bad = {1, 2, 3, std::nan("")}, good = {1, 2, 3, 4};
    contains({triangle}, std::vector<double>{1, 1, 3, 2}, out, {}); // {} means Options
    EXPECT_EQ(out, Bytes({1, 1}));
    EXPECT_EQ(refusal([&] { contains({triangle}, odd, out); }),
              "points: expected pairs of x and y, got 3 numbers");
    EXPECT_EQ(refusal([&] { contains({triangle}, bad, out); }), "points: point 1 is not finite");
    EXPECT_EQ(refusal([&] { contains({triangle}, good, std::span(out).first(1)); }),
              "out: expected 2 bytes, got 1");
    EXPECT_EQ(refusal([&] { contains({triangle}, good, out, {.threads = -1}); }),
              "threads: at least 0, got -1");
}

TEST(Border, UncheckedReportsStatus)
{
    Bytes out(100, 0xee);
    EXPECT_EQ(fill_mask_unchecked({triangle}, 10, 10, out.data()), Status::ok);
    EXPECT_EQ(out, rule_mask({triangle}, 10, 10));
    Bytes bits(20, 0xee);
    EXPECT_EQ(fill_packed_unchecked({triangle}, 10, 10, bits.data()), Status::ok);
    EXPECT_EQ(bits, packed(out, 10, 10));
    Options options;
    options.instruction_set = static_cast<InstructionSet>(77);
    EXPECT_EQ(fill_mask_unchecked({triangle}, 10, 10, out.data(), options), Status::unavailable);
}

} // namespace polymask::test
