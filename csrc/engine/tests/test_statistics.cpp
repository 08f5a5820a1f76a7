/* Statistics equal those of the mask's pixels, one by one. */

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

#include <gtest/gtest.h>

#include "references.hpp"

namespace polymask::test
{

namespace
{

template <class T> struct Image {
    std::vector<T> pixels;
    Bytes missing;
};

/* Returns values of all sizes, including NaN and infinity for types that have them. */
template <class T> Image<T> random_image(Random &random, std::int64_t rows, std::int64_t cols)
{
    using Limits = std::numeric_limits<T>;
    Image<T> image;
    for (std::int64_t i = 0; i < rows * cols; ++i) {
        T value = static_cast<T>(random.integer(-100, 100));
        if (random.one_in(9)) {
            value = random.one_in(2) ? Limits::max() : Limits::lowest();
            if constexpr (std::is_floating_point_v<T>) /* so that no sum overflows */
                value /= T{1000000};
        }
        if (Limits::has_quiet_NaN && random.one_in(9))
            value = random.one_in(3) ? Limits::infinity() : Limits::quiet_NaN();
        image.pixels.push_back(value);
        image.missing.push_back(static_cast<std::uint8_t>(random.integer(0, 2)));
    }
    return image;
}

template <class T> void expect_same(const Statistics<T> &found, const Statistics<T> &wanted)
{
    EXPECT_EQ(found.count, wanted.count);
    EXPECT_EQ(found.min, wanted.min);
    EXPECT_EQ(found.max, wanted.max);
    if (!std::is_floating_point_v<T>) {
        EXPECT_EQ(found.sum, wanted.sum);
    } else if (wanted.sum != wanted.sum) {
        EXPECT_NE(found.sum, found.sum);
    } else if (wanted.sum - wanted.sum != 0) {
        EXPECT_EQ(found.sum, wanted.sum);
    } else { /* each value is rounded about once, in either order */
        const double largest = std::max(std::fabs(static_cast<double>(wanted.min)),
                                        std::fabs(static_cast<double>(wanted.max)));
        const auto count = static_cast<double>(wanted.count);
        EXPECT_NEAR(static_cast<double>(found.sum), static_cast<double>(wanted.sum),
                    count * count * largest * 1e-16);
    }
}

/* Expects equality bit for bit, where NaN equals NaN. */
template <class T> void expect_equal(const Statistics<T> &found, const Statistics<T> &wanted)
{
    EXPECT_EQ(found.count, wanted.count);
    EXPECT_EQ(std::memcmp(&found.sum, &wanted.sum, sizeof wanted.sum), 0);
    EXPECT_EQ(found.min, wanted.min);
    EXPECT_EQ(found.max, wanted.max);
}

} // namespace

template <class T> class StatisticsOf : public testing::Test
{
};

using Types = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                             std::int32_t, std::uint64_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(StatisticsOf, Types);

TYPED_TEST(StatisticsOf, FeaturesAreThoseOfTheirPixels)
{
    Random random(51);
    for (int i = 0; i < 9; ++i) {
        const std::int64_t rows = random.integer(1, 30), cols = random.integer(1, 60);
        const Features features = random_features(
            random, random.integer(0, 30), static_cast<double>(rows), static_cast<double>(cols));
        const Image<TypeParam> image = random_image<TypeParam>(random, rows, cols);
        Values<TypeParam> values = {image.pixels};
        if (i % 2 == 1)
            values.missing = image.missing;
        if (i % 3 == 1)
            values.nodata = TypeParam{7};
        Options options = random_feature_options(random);
        const auto count = static_cast<std::size_t>(features.view().features());
        std::vector<Statistics<TypeParam>> one(count), others(count);
        options.threads = 1;
        statistics<TypeParam>(features.view(), rows, cols, values, one, options);
        for (std::size_t f = 0; f < count; ++f) {
            const Bytes mask = features.mask(static_cast<std::int64_t>(f), rows, cols, options);
            expect_same(one[f], by_pixels(mask, values));
        }
        for (const int threads : {2, 7}) {
            options.threads = threads;
            statistics<TypeParam>(features.view(), rows, cols, values, others, options);
            for (std::size_t f = 0; f < count; ++f)
                expect_equal(others[f], one[f]);
        }
    }
}

/* Pixels are added in a fixed order, so that even rounded sums are identical. */
TYPED_TEST(StatisticsOf, EqualOnAllInstructionSets)
{
    Random random(52);
    for (int i = 0; i < 20; ++i) {
        const std::int64_t rows = random.integer(1, 30), cols = random.integer(1, 200);
        const Features features = random_features(
            random, random.integer(0, 20), static_cast<double>(rows), static_cast<double>(cols));
        const Image<TypeParam> image = random_image<TypeParam>(random, rows, cols);
        const Values<TypeParam> values = {image.pixels, image.missing};
        Options options = random_feature_options(random);
        const auto count = static_cast<std::size_t>(features.view().features());
        std::vector<Statistics<TypeParam>> plain(count), found(count);
        options.instruction_set = InstructionSet::plain;
        statistics<TypeParam>(features.view(), rows, cols, values, plain, options);
        for (const InstructionSet set : available_instruction_sets()) {
            options.instruction_set = set;
            statistics<TypeParam>(features.view(), rows, cols, values, found, options);
            for (std::size_t f = 0; f < count; ++f)
                expect_equal(found[f], plain[f]);
        }
    }
}

TEST(Statistics, OfInfinitiesAlone)
{
    const std::vector<double> square = {-1, -1, 9, -1, 9, 9, -1, 9};
    const Offsets ring = {0, 4};
    const auto expect_all = [&](auto value) {
        using T = decltype(value);
        const std::vector<T> pixels(25, value);
        std::vector<Statistics<T>> out(1);
        statistics<T>({square, ring}, 5, 5, {pixels}, out);
        EXPECT_EQ(out[0].count, 25);
        EXPECT_EQ(out[0].sum, value);
        EXPECT_EQ(out[0].min, value);
        EXPECT_EQ(out[0].max, value);
    };
    for (const double sign : {1.0, -1.0}) {
        expect_all(sign * std::numeric_limits<double>::infinity());
        expect_all(static_cast<float>(sign) * std::numeric_limits<float>::infinity());
    }
}

TEST(Statistics, WhatIsRefused)
{
    const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};
    const Offsets ring = {0, 3};
    const Polygons polygons = {triangle, ring};
    const std::vector<float> pixels(100);
    const Bytes few(99);
    std::vector<Statistics<float>> out(1), none;
    const auto refusal = [&](const Values<float> &values, std::span<Statistics<float>> to) {
        try {
            statistics<float>(polygons, 10, 10, values, to);
        } catch (const std::invalid_argument &error) {
            return std::string(error.what());
        }
        return std::string("nothing refused");
    };
    EXPECT_EQ(refusal({std::span(pixels).first(99)}, out), "values: expected 100 pixels, got 99");
    EXPECT_EQ(refusal({pixels, few}, out), "missing: expected 100 pixels, got 99");
    EXPECT_EQ(refusal({pixels}, none), "out: expected 1 elements, got 0");
    EXPECT_EQ(refusal({pixels}, out), "nothing refused");
    const Bytes mask = rule_mask({triangle}, 10, 10, {});
    EXPECT_EQ(out[0].count, std::count(mask.begin(), mask.end(), 1));
}

/* They are computed in the order of tiles, but belong to the features in their own order. */
TEST(StatisticsOfALargeImage, AreThoseOfOneFeatureAtATime)
{
    Random random(57);
    const std::int64_t rows = 1100, cols = 2300;
    std::vector<std::uint16_t> pixels(static_cast<std::size_t>(rows * cols));
    for (std::uint16_t &pixel : pixels)
        pixel = static_cast<std::uint16_t>(random.integer(0, 65535));
    Features features = random_features(random, 300, 60, 90);
    for (std::int64_t f = 0; f < features.view().features(); ++f) {
        const auto first = features.polygons[static_cast<std::size_t>(features.features[f])],
                   end = features.polygons[static_cast<std::size_t>(features.features[f + 1])];
        const double x = random.real(-90, 2400), y = random.real(-60, 1200);
        for (auto i = features.rings[first]; i < features.rings[end]; ++i)
            features.vertices[2 * i] += x, features.vertices[2 * i + 1] += y;
    }
    const Polygons all = features.view();
    for (const int threads : {1, 3}) {
        const Options options = {.row_offset = -20, .column_offset = 30, .threads = threads};
        std::vector<Statistics<std::uint16_t>> found(static_cast<std::size_t>(all.features()));
        statistics<std::uint16_t>(all, rows, cols, {pixels}, found, options);
        for (std::size_t f = 0; f < found.size(); ++f) {
            Polygons one = all;
            one.feature_offsets = all.feature_offsets.subspan(f, 2);
            Statistics<std::uint16_t> wanted;
            statistics<std::uint16_t>(one, rows, cols, {pixels}, std::span(&wanted, 1), options);
            expect_same(found[f], wanted);
        }
    }
}

} // namespace polymask::test
