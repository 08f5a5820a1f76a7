/* Outlines of masks and label images, whose masks equal the image. */

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <stdexcept>
#include <type_traits>

#include <gtest/gtest.h>

#include "outlines/sweep.hpp"
#include "references.hpp"

namespace polymask::test
{

namespace
{

Bytes mask_of_all(const Outlines &outlines, std::int64_t rows, std::int64_t cols)
{
    Options options;
    options.center = true;
    return mask_of_rings(outlines, 0, outlines.ring_offsets.size() - 1, rows, cols, options);
}

/* The first ring of a polygon is its outer ring, the others are holes, and no ring touches itself.
 */
void expect_simple(const Outlines &outlines)
{
    for (std::size_t p = 0; p + 1 < outlines.polygon_offsets.size(); ++p) {
        const auto first = static_cast<std::size_t>(outlines.polygon_offsets[p]),
                   end = static_cast<std::size_t>(outlines.polygon_offsets[p + 1]);
        for (std::size_t r = first; r < end; ++r) {
            EXPECT_EQ(area(outlines, r) > 0, r == first);
            std::set<std::array<double, 2>> places;
            for (auto i = static_cast<std::size_t>(outlines.ring_offsets[r]);
                 i < static_cast<std::size_t>(outlines.ring_offsets[r + 1]); ++i)
                EXPECT_TRUE(
                    places.insert({outlines.vertices[2 * i], outlines.vertices[2 * i + 1]}).second);
        }
    }
}

Bytes random_mask(Random &random, std::int64_t rows, std::int64_t cols, double density)
{
    Bytes mask(static_cast<std::size_t>(rows * cols));
    for (auto &pixel : mask)
        pixel = random.real(0, 1) < density;
    return mask;
}

} // namespace

TEST(Outlines, EveryMaskOf4By4GivesItselfBack)
{
    for (unsigned bits = 0; bits < 1U << 16; ++bits) {
        Bytes mask(16);
        for (unsigned i = 0; i < 16; ++i)
            mask[i] = bits >> i & 1;
        const Outlines outlines = mask_to_rings({mask, {4, 4}});
        ASSERT_EQ(difference(mask_of_all(outlines, 4, 4), mask, 4), "") << "mask " << bits;
        expect_simple(outlines);
        ASSERT_FALSE(HasFailure()) << "mask " << bits;
    }
}

TEST(Outlines, RandomMasksGiveThemselvesBack)
{
    Random random(71);
    for (const double density : {0.01, 0.2, 0.5, 0.6, 0.9, 1.0}) {
        for (const std::int64_t cols : {1, 7, 63, 64, 65, 66, 130, 500}) {
            const std::int64_t rows = random.integer(1, 60);
            const Bytes mask = random_mask(random, rows, cols, density);
            const Outlines outlines = mask_to_rings({mask, {rows, cols}});
            EXPECT_EQ(difference(mask_of_all(outlines, rows, cols), mask, cols), "");
            expect_simple(outlines);
            double areas = 0;
            for (std::size_t r = 0; r + 1 < outlines.ring_offsets.size(); ++r)
                areas += area(outlines, r);
            EXPECT_EQ(areas, static_cast<double>(std::count(mask.begin(), mask.end(), 1)));
        }
    }
}

TEST(Outlines, CornersJoinRegionsByConnectivity)
{
    const Bytes checkerboard = {1, 0, 1, 0, 1, 0, 1, 0, 1};
    const Outlines apart = mask_to_rings({checkerboard, {3, 3}});
    EXPECT_EQ(apart.labels, std::vector<std::int64_t>(5, 1));
    const Outlines joined = mask_to_rings({checkerboard, {3, 3}}, {Connectivity::corners});
    EXPECT_EQ(joined.polygon_offsets, (std::vector<std::int64_t>{0, 5}));
    EXPECT_EQ(joined.vertices, apart.vertices);
    EXPECT_EQ(joined.view().polygons(), 1);
}

/* A ring of a region around a hole that opens only at a corner. */
TEST(Outlines, AHoleThatTouchesTheOutsideIsARingOfItsOwn)
{
    const Bytes mask = {1, 1, 1, 1, 0, 1, 1, 1, 0};
    const Outlines outlines = mask_to_rings({mask, {3, 3}});
    EXPECT_EQ(outlines.polygon_offsets, (std::vector<std::int64_t>{0, 2}));
    EXPECT_EQ(outlines.vertices, (std::vector<double>{0, 0, 3, 0, 3, 2, 2, 2, 2, 3, 0, 3, /* */
                                                      1, 1, 1, 2, 2, 2, 2, 1}));
}

template <class Label> class OutlinesOf : public testing::Test
{
};
using Labels = testing::Types<std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t,
                              std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(OutlinesOf, Labels);

TYPED_TEST(OutlinesOf, LabelsOfEveryType)
{
    Random random(72);
    const std::int64_t rows = 30, cols = 140, stride = 149;
    const TypeParam values[] = {std::numeric_limits<TypeParam>::min(), 0, 1, 2,
                                std::numeric_limits<TypeParam>::max()};
    std::vector<TypeParam> image(static_cast<std::size_t>(rows * stride));
    for (std::size_t i = 0; i < image.size(); ++i)
        image[i] = i > 0 && !random.one_in(3) ? image[i - 1] : values[random.integer(0, 4)];
    Options options;
    options.center = true;
    for (const bool has_background : {true, false}) {
        const auto background = has_background ? std::optional<std::int64_t>(0) : std::nullopt;
        const Outlines outlines = labels_to_rings({image, {rows, cols}, stride}, background);
        expect_simple(outlines);
        std::vector<TypeParam> again(static_cast<std::size_t>(rows * cols), TypeParam{0});
        for (std::size_t p = 0; p < outlines.labels.size(); ++p) {
            const Bytes mask = mask_of_rings(
                outlines, static_cast<std::size_t>(outlines.polygon_offsets[p]),
                static_cast<std::size_t>(outlines.polygon_offsets[p + 1]), rows, cols, options);
            for (std::size_t i = 0; i < mask.size(); ++i)
                if (mask[i] != 0)
                    again[i] = static_cast<TypeParam>(outlines.labels[p]);
        }
        for (std::int64_t r = 0; r < rows; ++r)
            EXPECT_TRUE(std::equal(&again[static_cast<std::size_t>(r * cols)],
                                   &again[static_cast<std::size_t>(r * cols)] + cols,
                                   &image[static_cast<std::size_t>(r * stride)]))
                << "row " << r;
    }
}

TYPED_TEST(OutlinesOf, EveryChangeOfARowIsFound)
{
    Random random(73);
    for (std::int64_t cols = 0; cols < 300; cols += 1 + cols / 20) {
        for (const int one_in : {2, 20, 1000}) {
            std::vector<TypeParam> row(static_cast<std::size_t>(cols) + 8, TypeParam{5});
            std::vector<std::int64_t> wanted, found;
            for (std::size_t i = 1; i < row.size(); ++i)
                row[i] = random.one_in(one_in) ? static_cast<TypeParam>(random.integer(0, 127))
                                               : row[i - 1];
            for (std::int64_t x = 1; x < cols; ++x)
                if (row[static_cast<std::size_t>(x)] != row[static_cast<std::size_t>(x - 1)])
                    wanted.push_back(x);
            detail::each_change(row.data(), cols, [&](std::int64_t x) { found.push_back(x); });
            EXPECT_EQ(found, wanted);
        }
    }
}

TEST(Outlines, OffsetsAndCentres)
{
    const Bytes pixel = {200};
    OutlineOptions options;
    options.row_offset = std::int64_t{1} << 51;
    options.column_offset = -7;
    EXPECT_EQ(mask_to_rings({pixel, {1, 1}}, options).vertices,
              (std::vector<double>{-7, 0x1p51, -6, 0x1p51, -6, 0x1p51 + 1, -7, 0x1p51 + 1}));
    options = {};
    options.center = false;
    EXPECT_EQ(mask_to_rings({pixel, {1, 1}}, options).vertices,
              (std::vector<double>{-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5}));
}

/* At the limit of offsets, with corners at halves and with samples at halves. */
TEST(Outlines, FarOutTheyGiveThemselvesBack)
{
    Random random(74);
    const std::int64_t rows = 12, cols = 20;
    for (const std::int64_t offset : {std::int64_t{1} << 51, -(std::int64_t{1} << 51)})
        for (const bool center : {true, false}) {
            const Bytes mask = random_mask(random, rows, cols, 0.5);
            const Outlines outlines =
                mask_to_rings({mask, {rows, cols}}, {Connectivity::sides, center, offset, offset});
            Options options;
            options.center = center;
            options.row_offset = options.column_offset = offset;
            EXPECT_EQ(difference(mask_of_rings(outlines, 0, outlines.ring_offsets.size() - 1, rows,
                                               cols, options),
                                 mask, cols),
                      "");
        }
}

TEST(Outlines, EmptyImagesHaveNone)
{
    for (const auto &[rows, cols] : {std::pair{0, 0}, {0, 5}, {5, 0}}) {
        const Outlines outlines = mask_to_rings({Bytes{}, {rows, cols}});
        EXPECT_TRUE(outlines.vertices.empty());
        EXPECT_EQ(outlines.ring_offsets, std::vector<std::int64_t>{0});
        EXPECT_EQ(outlines.polygon_offsets, std::vector<std::int64_t>{0});
    }
    EXPECT_EQ(TracedOutlines().polygons(), 0);
}

TEST(Outlines, BadInputIsRefused)
{
    const Bytes mask(12);
    const auto refused = [](const LabelImage &image, const OutlineOptions &options = {}) {
        try {
            static_cast<void>(trace_mask(image, options));
        } catch (const std::invalid_argument &error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    EXPECT_EQ(refused({mask, {3, 4}}), "accepted");
    EXPECT_EQ(refused({mask, {3, 3}, 4}), "accepted");
    EXPECT_EQ(refused({mask, {-1, 4}}), "shape: rows and columns are at least 0, got (-1, 4)");
    EXPECT_EQ(refused({mask, {1, std::int64_t{1} << 31}}),
              "shape: at most 2^31 - 2 rows and columns, got (1, 2147483648)");
    EXPECT_EQ(refused({mask, {3, 5}}), "elements: expected at least 15, got 12");
    EXPECT_EQ(refused({mask, {3, 4}, 5}), "elements: expected at least 14, got 12");
    EXPECT_EQ(refused({mask, {3, 4}, 3}), "row_stride: at least the 4 columns, got 3");
    EXPECT_EQ(refused({mask, {3, 4}, std::int64_t{1} << 62}),
              "row_stride: 4611686018427387904 is beyond the address space");
    EXPECT_EQ(refused({mask.data(), 12, 3, false, {3, 4}, 4}),
              "elements: of 1, 2, 4 or 8 bytes, got 3");
    const std::vector<std::int32_t> labels(3);
    const auto *between = reinterpret_cast<const std::uint8_t *>(labels.data()) + 1;
    EXPECT_EQ(refused({between, 2, 4, true, {1, 2}, 2}),
              "elements: of 4 bytes, at an address between them");
    OutlineOptions neither;
    neither.connectivity = static_cast<Connectivity>(6);
    EXPECT_EQ(refused({mask, {3, 4}}, neither), "connectivity: 4 or 8, got 6");
    OutlineOptions far;
    far.column_offset = -(std::int64_t{1} << 51);
    EXPECT_EQ(refused({mask, {3, 4}}, far), "accepted");
    far.column_offset -= 1;
    EXPECT_EQ(refused({mask, {3, 4}}, far), "offset: at most 2^51, got -2251799813685249");
}

TEST(Outlines, NothingIsWrittenToSpansOfAnotherSize)
{
    const Bytes pixel = {1};
    const TracedOutlines traced = trace_mask({pixel, {1, 1}});
    std::vector<double> vertices(8, 9);
    std::vector<std::int64_t> rings(2, 9), polygons(2, 9), labels(2, 9);
    EXPECT_THROW(traced.write(vertices, rings, polygons, labels), std::invalid_argument);
    EXPECT_EQ(vertices, std::vector<double>(8, 9));
    EXPECT_EQ(rings, std::vector<std::int64_t>(2, 9));
    labels.resize(1);
    traced.write(vertices, rings, polygons, labels);
    EXPECT_EQ(rings, (std::vector<std::int64_t>{0, 4}));
    EXPECT_EQ(labels, std::vector<std::int64_t>{1});
}

TEST(Outlines, MoreCornersThanCanBeNumberedAreAnError)
{
    detail::Corners corners;
    corners.make_room(1);
    corners.add(0, 0, 0);
    EXPECT_THROW(corners.make_room(detail::most_corners), std::length_error);
}

} // namespace polymask::test
