/* Images of labels equal those from masks painted one by one. */

#include <numeric>
#include <stdexcept>

#include <gtest/gtest.h>

#include "polymask/labels.hpp"
#include "references.hpp"

namespace polymask::test
{

namespace
{

template <class T> class LabelsOf : public testing::Test
{
};
using Types = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::int8_t,
                             std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(LabelsOf, Types);

} // namespace

TYPED_TEST(LabelsOf, FeaturesAreThoseOfTheirMasks)
{
    using T = TypeParam;
    Random random(51);
    const auto sets = available_instruction_sets();
    for (int i = 0; i < 12; ++i) {
        const std::int64_t rows = random.integer(1, 50), cols = random.integer(1, 90);
        const Features features = random_features(
            random, random.integer(0, 25), static_cast<double>(rows), static_cast<double>(cols));
        std::vector<T> labels;
        for (std::int64_t f = 0; f < features.view().features(); ++f)
            labels.push_back(static_cast<T>(random.integer(-100, 100)));
        const std::vector<T> before(static_cast<std::size_t>(rows * cols), T{77});
        std::vector<T> blank(before.size(), T{3});
        Options options = random_feature_options(random);
        options.instruction_set = sets[random.integer(0, sets.size() - 1)];
        auto order = as_they_come(features);
        const auto masks = masks_of(features, rows, cols, options);
        for (const OnTop on_top : {OnTop::last, OnTop::first}) {
            for (const int threads : {1, 2, 7}) {
                options.threads = threads;
                std::vector<T> out = before;
                fill_labels<T>(features.view(), {labels, T{3}}, rows, cols, out, on_top, options);
                EXPECT_EQ(out, painted(masks, order, labels, blank));
                out = before;
                fill_labels<T>(features.view(), {labels, T{3}, true}, rows, cols, out, on_top,
                               options);
                EXPECT_EQ(out, painted(masks, order, labels, before));
            }
            std::reverse(order.begin(), order.end());
        }
    }
}

TYPED_TEST(LabelsOf, FeaturesAreAddedOneByOne)
{
    using T = TypeParam;
    Random random(54);
    const auto sets = available_instruction_sets();
    for (int i = 0; i < 12; ++i) {
        const std::int64_t rows = random.integer(1, 50), cols = random.integer(1, 90);
        const Features features = random_features(
            random, random.integer(0, 25), static_cast<double>(rows), static_cast<double>(cols));
        std::vector<T> labels;
        for (std::int64_t f = 0; f < features.view().features(); ++f)
            labels.push_back(static_cast<T>(static_cast<T>(random.integer(-100, 100)) / T{7}));
        Options options = random_feature_options(random);
        options.instruction_set = sets[random.integer(0, sets.size() - 1)];
        const auto masks = masks_of(features, rows, cols, options);
        const auto added = [&](T background) {
            std::vector<T> image(static_cast<std::size_t>(rows * cols), background);
            for (std::size_t f = 0; f < masks.size(); ++f)
                for (std::size_t k = 0; k < image.size(); ++k)
                    if (masks[f][k] != 0)
                        image[k] = static_cast<T>(image[k] + labels[f]);
            return image;
        };
        for (const int threads : {1, 2, 7}) {
            options.threads = threads;
            std::vector<T> out(static_cast<std::size_t>(rows * cols), T{77});
            fill_labels<T>(features.view(), {labels, T{3}, false, true}, rows, cols, out,
                           OnTop::last, options);
            EXPECT_EQ(out, added(T{3}));
            std::fill(out.begin(), out.end(), T{77});
            fill_labels<T>(features.view(), {labels, T{}, true, true}, rows, cols, out, OnTop::last,
                           options);
            EXPECT_EQ(out, added(T{77}));
        }
    }
}

TEST(LabelPainting, SmallOnesLieOnTopOfLargeOnes)
{
    Features features;
    const auto add_square = [&](double x, double y, double size, bool reversed = false) {
        std::vector<double> ring = {x, y, x + size, y, x + size, y + size, x, y + size};
        if (reversed)
            ring = {x, y, x, y + size, x + size, y + size, x + size, y};
        features.add_ring(ring);
    };
    const auto end = [&] {
        features.end_polygon();
        features.end_feature();
    };
    add_square(10.5, 10.5, 3);
    end();
    add_square(0.5, 0.5, 30); /* with a hole, in any direction: 224 */
    add_square(2.5, 2.5, 26);
    end();
    add_square(8.5, 8.5, 16, true); /* 256 */
    end();
    add_square(9.5, 11.5, 3); /* as large as the first: later, so on top */
    end();
    add_square(1.5, 1.5, 10); /* two polygons: 200 */
    features.end_polygon();
    add_square(18.5, 18.5, 10);
    end();
    add_square(26.5, 12.5,
               17); /* 289: larger than the one with the hole, which lies on top of it */
    end();
    const std::vector<std::int32_t> labels = {1, 2, 3, 4, 5, 6};
    for (const std::int64_t offset : {0, 9, 11}) { /* the window does not matter */
        Options options;
        options.row_offset = options.column_offset = offset;
        std::vector<std::int32_t> out(32 * 32);
        fill_labels<std::int32_t>(features.view(), {}, 32, 32, out, OnTop::smallest, options);
        const std::vector<std::size_t> order = {5, 2, 1, 4, 0, 3};
        EXPECT_EQ(out, painted(masks_of(features, 32, 32, options), order, labels,
                               std::vector<std::int32_t>(32 * 32)));
    }
}

TEST(LabelPainting, TilesMakeTheWholeAndWindowsEqualTheirPart)
{
    Random random(52);
    const std::int64_t rows = 700, cols = 2300;
    Features features;
    for (int i = 0; i < 150; ++i) {
        const double x = random.real(-50, cols), y = random.real(-50, rows);
        auto ring = polygon(random, Kind::reals, random.integer(3, 9), 40, 60);
        for (std::size_t k = 0; k < ring.size(); k += 2)
            ring[k] += x, ring[k + 1] += y;
        features.add_ring(ring);
        features.end_polygon();
        features.end_feature();
    }
    const auto pixels = static_cast<std::size_t>(rows * cols);
    std::vector<std::uint32_t> expected(pixels);
    for (std::int64_t f = 0; f < features.view().features(); ++f) {
        const Bytes mask = filled(features.polygon(f).view(), rows, cols);
        for (std::size_t i = 0; i < pixels; ++i)
            if (mask[i] != 0)
                expected[i] = static_cast<std::uint32_t>(f + 1);
    }
    for (const int threads : {1, 2, 7}) {
        Options options;
        options.threads = threads;
        options.out_is_zero = true;
        std::vector<std::uint32_t> out(pixels);
        const LabelPainter painter(features.view(), rows, cols, OnTop::last, options);
        EXPECT_GT(painter.tiles(), 1);
        for (std::int64_t tile = painter.tiles(); tile > 0; --tile) /* in any order */
            painter.paint<std::uint32_t>({}, out, tile - 1, tile);
        EXPECT_EQ(out, expected);

        options.row_offset = 301;
        options.column_offset = 999;
        std::vector<std::uint32_t> window(100 * 200, 9);
        options.out_is_zero = false;
        fill_labels<std::uint32_t>(features.view(), {}, 100, 200, window, OnTop::last, options);
        for (std::size_t row = 0; row < 100; ++row)
            for (std::size_t col = 0; col < 200; ++col)
                ASSERT_EQ(window[row * 200 + col], expected[(row + 301) * 2300 + col + 999]);
    }
}

TEST(LabelPainting, LargeOnesAmongManySmallOnes)
{
    Random random(53);
    const std::int64_t rows = 1100, cols = 4200;
    Features features;
    const auto add = [&](const std::vector<double> &ring) {
        features.add_ring(ring);
        features.end_polygon();
        features.end_feature();
    };
    /* 20,000 vertices in 25 tiles: scanned once; below and above small features, for small tiles */
    const auto add_star = [&] {
        std::vector<double> ring;
        for (int i = 0; i < 20000; ++i) {
            const double angle = i * 2 * 3.14159265358979 / 20000, r = random.real(0.1, 0.6);
            ring.push_back(2100 + 4200 * r * std::cos(angle));
            ring.push_back(550 + 1100 * r * std::sin(angle));
        }
        add(ring);
    };
    for (int i = 0; i < 600; ++i) {
        if (i % 200 == 100)
            add_star();
        const double x = random.real(0, cols), y = random.real(0, rows);
        add({x, y, x + random.real(1, 30), y + 3, x + 5, y + random.real(1, 30)});
    }
    const auto pixels = static_cast<std::size_t>(rows * cols);
    std::vector<std::uint16_t> expected(pixels);
    for (std::int64_t f = 0; f < features.view().features(); ++f) {
        const Box box = bounding_box(features.polygon(f).view(), rows, cols);
        Options options;
        options.row_offset = box.top;
        options.column_offset = box.left;
        const Bytes mask = filled(features.polygon(f).view(), box.rows(), box.cols(), options);
        for (std::int64_t i = 0; i < box.rows() * box.cols(); ++i)
            if (mask[static_cast<std::size_t>(i)] != 0)
                expected[static_cast<std::size_t>((box.top + i / box.cols()) * cols + box.left +
                                                  i % box.cols())] =
                    static_cast<std::uint16_t>(f + 1);
    }
    for (const int threads : {1, 2, 7}) {
        Options options;
        options.threads = threads;
        std::vector<std::uint16_t> out(pixels, 9);
        fill_labels<std::uint16_t>(features.view(), {}, rows, cols, out, OnTop::last, options);
        EXPECT_EQ(out, expected);
    }
    std::vector<std::uint16_t> touched(pixels);
    Bytes mask(pixels);
    for (std::int64_t f = 0; f < features.view().features(); ++f) {
        fill_touched(features.polygon(f).view(), rows, cols, mask);
        for (std::size_t i = 0; i < pixels; ++i)
            if (mask[i] != 0)
                touched[i] = static_cast<std::uint16_t>(f + 1);
    }
    std::vector<std::uint16_t> out(pixels, 9);
    fill_labels<std::uint16_t>(features.view(), {}, rows, cols, out, OnTop::last,
                               {.threads = 2, .touched = Squares::closed});
    EXPECT_EQ(out, touched);
}

TEST(LabelPainting, EmptyImagesAndSets)
{
    const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};
    const Offsets one = {0, 3};
    fill_labels<std::uint8_t>({triangle, one}, {}, 0, 5, {});
    fill_labels<std::uint8_t>({triangle, one}, {}, 5, 0, {});
    std::vector<std::uint8_t> out(6, 9);
    fill_labels<std::uint8_t>({}, {{}, 4}, 2, 3, out);
    EXPECT_EQ(out, std::vector<std::uint8_t>(6, 4));
}

TEST(LabelPainting, WhatIsRefused)
{
    const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};
    const Offsets one = {0, 3};
    const Polygons polygons = {triangle, one};
    std::vector<std::uint8_t> out(100, 9);
    const auto refusal = [](auto call) -> std::string {
        try {
            call();
        } catch (const std::invalid_argument &error) {
            return error.what();
        }
        return "nothing refused";
    };
    const std::vector<std::uint8_t> two = {1, 2};
    EXPECT_EQ(refusal([&] { fill_labels<std::uint8_t>(polygons, {two}, 10, 10, out); }),
              "labels: expected 1 numbers, got 2");
    EXPECT_EQ(refusal([&] { fill_labels<std::uint8_t>(polygons, {}, 10, 11, out); }),
              "out: expected 110 labels, got 100");
    EXPECT_EQ(refusal([&] { fill_labels<std::uint8_t>(polygons, {}, -1, 10, out); }),
              "shape: rows and columns are at least 0, got (-1, 10)");
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const std::int64_t size : {std::int64_t{1} << 51, (std::int64_t{1} << 62) + 1, most}) {
        const std::string wanted = "out: expected " + std::to_string(size) + " labels, got 100";
        EXPECT_EQ(refusal([&] { fill_labels<std::uint8_t>(polygons, {}, size, 1, out); }), wanted);
        EXPECT_EQ(refusal([&] { fill_labels<std::uint8_t>(polygons, {}, 1, size, out); }), wanted);
    }
    const std::vector<double> huge = {-1e300, -1e300, 1e300, 0, 0, 1e300};
    EXPECT_EQ(refusal([&] { fill_labels<std::uint8_t>({huge, one}, {}, most, 1, out); }),
              "out: expected " + std::to_string(most) + " labels, got 100");
    std::vector<float> floats(100);
    EXPECT_EQ(refusal([&] { fill_labels<float>(polygons, {}, 10, 10, floats); }),
              "labels: expected one per feature, as they are not integers");
    const Offsets empty(258);
    EXPECT_EQ(refusal([&] { fill_labels<std::uint8_t>({triangle, one, empty}, {}, 10, 10, out); }),
              "labels: 257, the last feature's, does not fit in 8 bits");
    std::vector<std::int8_t> small(100);
    EXPECT_EQ(refusal([&] {
                  fill_labels<std::int8_t>({triangle, one, std::span(empty).first(129)}, {}, 10, 10,
                                           small);
              }),
              "labels: 128, the last feature's, does not fit in 8 bits");
    EXPECT_EQ(refusal([&] { LabelPainter(polygons, 10, 10).paint<std::uint8_t>({}, out, 0, 2); }),
              "tiles: 0 to 2 of 1");
    EXPECT_EQ(refusal([&] {
                  fill_labels<std::uint8_t>(polygons, {}, 10, 10, out, static_cast<OnTop>(77));
              }),
              "on_top: 77 is not one of its values");
    EXPECT_EQ(out, std::vector<std::uint8_t>(100, 9));
}

} // namespace polymask::test
