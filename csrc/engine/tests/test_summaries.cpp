/* Summaries equal those of the pixels of each mask, sorted one by one, also by windows. */

#include "polymask/summaries.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

#include <gtest/gtest.h>

#include "polymask/coverage.hpp"
#include "references.hpp"

namespace polymask::test
{

namespace
{

const SummaryParts everything = {
    .quantiles = {0, 0.3, 1}, .median = true, .variance = true, .classes = true, .shares = true};

std::vector<std::int64_t> all_of(const Features &features)
{
    std::vector<std::int64_t> numbers(static_cast<std::size_t>(features.view().features()));
    for (std::size_t i = 0; i < numbers.size(); ++i)
        numbers[i] = static_cast<std::int64_t>(i);
    return numbers;
}

std::vector<float> random_pixels(Random &random, std::int64_t count)
{
    std::vector<float> pixels;
    for (std::int64_t i = 0; i < count; ++i)
        pixels.push_back(static_cast<float>(random.integer(-4, 4)));
    return pixels;
}

template <class T> void expect_same(const Summaries<T> &found, const Summaries<T> &wanted)
{
    for (std::size_t f = 0; f < wanted.all().size(); ++f) {
        const Summary<T> &a = found.all()[f], &b = wanted.all()[f];
        EXPECT_EQ(a.pixels.count, b.pixels.count);
        EXPECT_EQ(a.pixels.sum, b.pixels.sum);
        EXPECT_EQ(a.weight, b.weight);
        EXPECT_EQ(a.sum, b.sum);
        EXPECT_EQ(a.variety, b.variety);
        EXPECT_EQ(a.majority, b.majority);
        EXPECT_EQ(a.minority, b.minority);
        if (b.pixels.count == 0)
            continue;
        EXPECT_EQ(a.variance, b.variance);
        EXPECT_EQ(a.median, b.median);
        for (std::size_t q = 0; q < 3; ++q)
            EXPECT_EQ(found.quantiles()[3 * f + q], wanted.quantiles()[3 * f + q]);
    }
}

} // namespace

TEST(Summaries, AreThoseOfTheSortedPixels)
{
    Random random(61);
    for (int i = 0; i < 20; ++i) {
        const std::int64_t rows = random.integer(1, 30), cols = random.integer(1, 60);
        const Features features =
            random_features(random, 20, static_cast<double>(rows), static_cast<double>(cols));
        const auto pixels = random_pixels(random, rows * cols);
        Options options = random_feature_options(random);
        Summaries<float> summaries(features.view(), everything, options.selection(),
                                   options.work());
        const auto numbers = all_of(features);
        const Bytes last(numbers.size(), 1);
        summaries.add(options.grid(rows, cols), {pixels}, numbers, last);
        for (std::size_t f = 0; f < numbers.size(); ++f) {
            const Bytes mask = features.mask(numbers[f], rows, cols, options);
            std::vector<double> values;
            std::map<float, double> counts;
            for (std::size_t k = 0; k < mask.size(); ++k)
                if (mask[k]) {
                    values.push_back(static_cast<double>(pixels[k]));
                    ++counts[pixels[k]];
                }
            std::sort(values.begin(), values.end());
            const Summary<float> &found = summaries.all()[f];
            EXPECT_EQ(found.variety, static_cast<std::int64_t>(counts.size()));
            ASSERT_EQ(summaries.shares(numbers[f]).size(), counts.size());
            for (const auto &[value, weight] : summaries.shares(numbers[f]))
                EXPECT_EQ(counts[value], weight);
            if (values.empty()) {
                EXPECT_NE(found.median, found.median);
                continue;
            }
            const std::size_t middle = values.size() / 2;
            EXPECT_EQ(found.median, (values[middle] + values[(values.size() - 1) / 2]) / 2);
            EXPECT_EQ(summaries.quantiles()[3 * f], values.front());
            EXPECT_EQ(summaries.quantiles()[3 * f + 2], values.back());
        }
    }
}

TEST(Summaries, OfWindowsAreThoseOfTheWhole)
{
    Random random(62);
    for (int i = 0; i < 20; ++i) {
        const std::int64_t rows = random.integer(2, 40), cols = random.integer(1, 60);
        const Features features =
            random_features(random, 20, static_cast<double>(rows), static_cast<double>(cols));
        const auto pixels = random_pixels(random, rows * cols);
        SummaryParts parts = everything;
        parts.weighted = random.one_in(2);
        const auto numbers = all_of(features);
        const Bytes last(numbers.size(), 1), more(numbers.size(), 0);
        Summaries<float> whole(features.view(), parts, {}, {.threads = 1});
        whole.add({{rows, cols}}, {pixels}, numbers, last);
        Summaries<float> split(features.view(), parts, {}, {.threads = 3});
        const std::int64_t middle = random.integer(1, rows - 1);
        const std::span<const float> all(pixels);
        const auto above = static_cast<std::size_t>(middle * cols);
        split.add({{middle, cols}}, {all.first(above)}, numbers, more);
        split.add({.shape = {rows - middle, cols}, .row_offset = middle}, {all.subspan(above)},
                  numbers, last);
        expect_same(split, whole);
    }
}

TEST(Summaries, WeightsAreTheCoverage)
{
    const std::vector<double> triangle = {1.3, 0.7, 8.2, 1.1, 6.4, 8.9};
    const Offsets ring = {0, 3};
    std::vector<float> fractions(100), pixels(100, 2.0f);
    coverage({triangle}, {{10, 10}}, fractions);
    double weight = 0;
    for (const float fraction : fractions)
        weight += static_cast<double>(fraction);
    SummaryParts parts = everything;
    parts.weighted = true;
    Summaries<float> summaries({triangle, ring}, parts);
    summaries.add({{10, 10}}, {pixels}, Offsets{0}, Bytes{1});
    EXPECT_EQ(summaries.all()[0].weight, weight);
    EXPECT_EQ(summaries.all()[0].sum, 2 * weight);
    EXPECT_EQ(summaries.all()[0].variance, 0);
    EXPECT_EQ(summaries.all()[0].pixels.count,
              std::count_if(fractions.begin(), fractions.end(), [](float f) { return f > 0; }));
}

TEST(Summaries, WhatIsRefused)
{
    const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};
    const Offsets ring = {0, 3};
    EXPECT_THROW(Summaries<float>({triangle, ring}, {.quantiles = {1.5}}), std::invalid_argument);
    Summaries<float> summaries({triangle, ring}, {});
    const std::vector<float> pixels(100);
    const Bytes last = {1};
    EXPECT_TRUE(summaries.shares(0).empty()); /* which are no part of it */
    EXPECT_THROW(summaries.add({{10, 11}}, {pixels}, Offsets{0}, last), std::invalid_argument);
    EXPECT_THROW(summaries.add({{10, 10}}, {pixels}, Offsets{1}, last), std::invalid_argument);
    EXPECT_THROW(summaries.add({{10, 10}}, {pixels}, Offsets{}, last), std::invalid_argument);
}

} // namespace polymask::test
