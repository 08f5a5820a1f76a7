/* The functions for C for many polygons, and those for outlines: they give the same results as
 * those for C++, in memory whose size they report. */

#include <gtest/gtest.h>

#include "c_error.hpp"
#include "for_c.hpp"
#include "no_memory.hpp"
#include "polymask/crops.hpp"
#include "polymask/labels.hpp"
#include "polymask/runs.hpp"
#include "references.hpp"

namespace polymask::test
{

namespace
{

/* Runs in C, and room for more. */
struct CRuns {
    explicit CRuns(std::size_t features, std::size_t room = 0)
        : ends(features, -7), rows(room, -7), starts(room, -7), stops(room, -7), count(room)
    {
    }
    int write(const polymask_polygons &polygons, std::int64_t row_count, std::int64_t cols,
              const polymask_options *options, char *error)
    {
        return polymask_label_runs(&polygons, row_count, cols, ends.data(), ends.size(),
                                   rows.data(), starts.data(), stops.data(), &count, options,
                                   error);
    }
    bool operator==(const CRuns &) const = default;

    Offsets ends;
    std::vector<std::int32_t> rows, starts, stops;
    std::size_t count;
};

/* Features of one polygon with one ring each, whose offsets need only one level, or any features.
 */
Features some_features(Random &random, bool simple)
{
    if (!simple)
        return random_features(random, random.integer(0, 6), 20, 30);
    Features features;
    for (std::int64_t n = random.integer(0, 6); n > 0; --n) {
        features.add_ring(polygon(random, Kind::reals, random.integer(3, 9), 20, 30));
        features.end_polygon();
        features.end_feature();
    }
    return features;
}

polymask_polygons for_c(const Features &features, bool simple)
{
    polymask_polygons polygons = test::for_c(features);
    if (simple) {
        polygons.polygon_offsets = polygons.feature_offsets = nullptr;
        polygons.polygon_count = polygons.feature_count = 0;
    }
    return polygons;
}

const std::vector<double> two_triangles = {2, 1, 37, 3, 9, 17, 3, 2, 5, 2, 4, 9};
const Offsets two_rings = {0, 3, 6};
const polymask_polygons two = {
    two_triangles.data(), 6, two_rings.data(), 2, nullptr, 0, nullptr, 0};

} // namespace

TEST(CApiMany, FeaturesAreThoseOfCpp)
{
    Random random(95);
    for (int i = 0; i < 300; ++i) {
        const bool simple = random.one_in(2);
        const Features features = some_features(random, simple);
        const Polygons view = features.view();
        const auto n = static_cast<std::size_t>(view.features());
        Options options = random_feature_options(random);
        options.threads = static_cast<int>(random.integer(0, 3));
        const polymask_options given = test::for_c(options);
        const polymask_polygons polygons = for_c(features, simple);
        Error error;

        Offsets counts(n), found_counts(n, -7);
        pixel_counts(view, 20, 30, counts, options);
        ASSERT_EQ(polymask_pixel_counts(&polygons, 20, 30, found_counts.data(), n, &given, error),
                  POLYMASK_DONE)
            << error.text();
        ASSERT_EQ(found_counts, counts);

        std::vector<PixelSums> sums(n), found_sums;
        pixel_sums(view, 20, 30, sums, options);
        std::vector<polymask_sums> c_sums(n);
        ASSERT_EQ(polymask_pixel_sums(&polygons, 20, 30, c_sums.data(), n, &given, error),
                  POLYMASK_DONE);
        for (const polymask_sums &of : c_sums)
            found_sums.push_back({of.pixels, of.rows, of.columns});
        ASSERT_EQ(found_sums, sums);

        const MaskCropper cropper(view, 20, 30, options);
        std::vector<Box> boxes(n), found_boxes;
        cropper.boxes(boxes);
        std::vector<polymask_box> c_boxes(n);
        ASSERT_EQ(polymask_boxes(&polygons, 20, 30, c_boxes.data(), n, &given, error),
                  POLYMASK_DONE);
        std::size_t pixels = 0;
        for (const polymask_box &box : c_boxes) {
            found_boxes.push_back({box.top, box.bottom, box.left, box.right});
            pixels +=
                static_cast<std::size_t>(found_boxes.back().rows() * found_boxes.back().cols());
        }
        ASSERT_EQ(found_boxes, boxes);
        Bytes crops(pixels, 7), found_crops(pixels, 7);
        cropper.fill(0, boxes, crops);
        ASSERT_EQ(polymask_fill_crops(&polygons, 20, 30, c_boxes.data(), n, found_crops.data(),
                                      pixels, &given, error),
                  POLYMASK_DONE);
        ASSERT_EQ(found_crops, crops);

        std::vector<std::int32_t> image(20 * 30), found_image(20 * 30, 7);
        fill_labels<std::int32_t>(view, {}, 20, 30, image, OnTop::last, options);
        ASSERT_EQ(polymask_fill_labels(&polygons, nullptr, 0, 20, 30, found_image.data(), 20 * 30,
                                       &given, error),
                  POLYMASK_DONE);
        ASSERT_EQ(found_image, image);

        const auto most = static_cast<std::size_t>(most_runs(view, 20, 30, options));
        CRuns wanted(n, most + 2), found(n, most + 2);
        const std::span<std::int32_t> rows(wanted.rows), starts(wanted.starts), stops(wanted.stops);
        wanted.count = static_cast<std::size_t>(label_runs<std::int32_t>(
            view, 20, 30, wanted.ends, {rows.first(most), starts.first(most), stops.first(most)},
            options));
        ASSERT_EQ(found.write(polygons, 20, 30, &given, error), POLYMASK_DONE);
        ASSERT_EQ(found, wanted) << "also in the room that is left";
    }
}

TEST(CApiMany, RunsHaveRoomAsRequested)
{
    std::size_t room = 0;
    Error error;
    ASSERT_EQ(polymask_label_runs(&two, 18, 40, nullptr, 0, nullptr, nullptr, nullptr, &room,
                                  nullptr, error),
              POLYMASK_DONE);
    ASSERT_EQ(static_cast<std::int64_t>(room),
              most_runs(Polygons{two_triangles, two_rings}, 18, 40));
    CRuns small(2, room - 1);
    ASSERT_EQ(small.write(two, 18, 40, nullptr, error), POLYMASK_TOO_SMALL);
    EXPECT_EQ(error.text(), "out: expected room for " + std::to_string(room) + " runs, got " +
                                std::to_string(room - 1));
    CRuns before(2, room - 1);
    before.count = room;
    EXPECT_EQ(small, before) << "only the count is written";
    CRuns none(2);
    EXPECT_EQ(none.write(two, 18, 40, nullptr, error), POLYMASK_TOO_SMALL);
    EXPECT_EQ(none.count, room);
    CRuns enough(2, room);
    EXPECT_EQ(enough.write(two, 18, 40, nullptr, error), POLYMASK_DONE);
    EXPECT_EQ(enough.ends.back(), static_cast<std::int64_t>(enough.count));

    CRuns outside(2); /* features without pixels need no room, but have ends */
    EXPECT_EQ(outside.write(two, 1, 1, nullptr, error), POLYMASK_DONE);
    EXPECT_EQ(outside.ends, Offsets({0, 0}));
}

TEST(CApiMany, WhatIsInvalidIsNotWritten)
{
    Offsets counts(3, -7);
    std::vector<polymask_sums> sums(3, {-7, -7, -7});
    std::vector<polymask_box> boxes(3, {-7, -7, -7, -7});
    CRuns runs(3, 50);
    const CRuns runs_before = runs;
    Bytes crops(9, 7);
    Error error;
    const auto refused = [&](int status) {
        EXPECT_EQ(status, POLYMASK_INVALID);
        EXPECT_EQ(counts, Offsets(3, -7));
        EXPECT_EQ(sums[0].pixels, -7);
        EXPECT_EQ(boxes[0].top, -7);
        EXPECT_EQ(runs, runs_before);
        EXPECT_EQ(crops, Bytes(9, 7));
        return error.text();
    };
    EXPECT_EQ(refused(polymask_pixel_counts(&two, 18, 40, counts.data(), 3, nullptr, error)),
              "counts: expected 2 numbers, got 3");
    EXPECT_EQ(refused(polymask_pixel_counts(&two, 18, 40, nullptr, 2, nullptr, error)),
              "counts: NULL, but the count is 2");
    EXPECT_EQ(refused(polymask_pixel_counts(nullptr, 18, 40, counts.data(), 2, nullptr, error)),
              "polygons: NULL");
    EXPECT_EQ(refused(polymask_pixel_sums(&two, 18, 40, sums.data(), 3, nullptr, error)),
              "sums: expected 2 elements, got 3");
    constexpr std::int64_t wide = std::int64_t{1} << 21;
    EXPECT_EQ(refused(polymask_pixel_sums(&two, wide, wide, sums.data(), 2, nullptr, error)),
              "shape: sums of (2097152, 2097152) could exceed 63 bits");
    EXPECT_EQ(refused(polymask_boxes(&two, 18, -1, boxes.data(), 2, nullptr, error)),
              "shape: rows and columns are at least 0, got (18, -1)");
    EXPECT_EQ(refused(polymask_boxes(&two, 18, 40, nullptr, 2, nullptr, error)),
              "boxes: NULL, but the count is 2");
    EXPECT_EQ(refused(runs.write(two, 18, 40, nullptr, error)), "ends: expected 2 numbers, got 3");
    EXPECT_EQ(refused(polymask_label_runs(&two, 18, 40, nullptr, 0, nullptr, nullptr, nullptr,
                                          nullptr, nullptr, error)),
              "run_count: NULL");
    EXPECT_EQ(
        refused(polymask_label_runs(&two, 18, 40, runs.ends.data(), 2, runs.rows.data(),
                                    runs.starts.data(), nullptr, &runs.count, nullptr, error)),
        "stops: NULL, but the count is 50");
    EXPECT_EQ(refused(polymask_label_runs(&two, std::int64_t{1} << 31, 1, runs.ends.data(), 2,
                                          runs.rows.data(), runs.starts.data(), runs.stops.data(),
                                          &runs.count, nullptr, error)),
              "shape: (2147483648, 1) exceeds the type of the runs");
    const std::vector<polymask_box> some = {{2, 5, 2, 5}, {0, 1, 0, 41}, {0, 0, 0, 0}};
    EXPECT_EQ(
        refused(polymask_fill_crops(&two, 18, 40, some.data(), 1, crops.data(), 8, nullptr, error)),
        "out: expected 9 bytes, got 8");
    EXPECT_EQ(
        refused(polymask_fill_crops(&two, 18, 40, some.data(), 2, crops.data(), 9, nullptr, error)),
        "boxes: box 1, rows 0 to 1 and columns 0 to 41, exceeds the image (18, 40)");
    EXPECT_EQ(
        refused(polymask_fill_crops(&two, 18, 40, some.data(), 3, crops.data(), 9, nullptr, error))
            .substr(0, 9),
        "features:");
}

TEST(CApiMany, MemoryThatCannotBeAllocated)
{
    Offsets counts(2, -7);
    std::vector<polymask_sums> sums(2, {-7, -7, -7});
    std::vector<polymask_box> boxes(2, {0, 2, 0, 2});
    CRuns runs(2, 200);
    const CRuns runs_before = runs;
    Bytes crops(8, 7);
    Error errors[5];
    has_memory = false;
    const int statuses[] = {
        polymask_pixel_counts(&two, 18, 40, counts.data(), 2, nullptr, errors[0]),
        polymask_pixel_sums(&two, 18, 40, sums.data(), 2, nullptr, errors[1]),
        polymask_boxes(&two, 18, 40, boxes.data(), 2, nullptr, errors[2]),
        polymask_fill_crops(&two, 18, 40, boxes.data(), 2, crops.data(), 8, nullptr, errors[3]),
        runs.write(two, 18, 40, nullptr, errors[4])};
    has_memory = true;
    for (std::size_t i = 0; i < std::size(statuses); ++i) {
        EXPECT_EQ(statuses[i], POLYMASK_OUT_OF_MEMORY) << i;
        EXPECT_EQ(errors[i].text(), "work memory cannot be allocated");
    }
    EXPECT_EQ(counts, Offsets(2, -7));
    EXPECT_EQ(sums[0].pixels, -7);
    EXPECT_EQ(boxes[0].bottom, 2);
    EXPECT_EQ(crops, Bytes(8, 7));
    EXPECT_EQ(runs, runs_before);
}

} // namespace polymask::test
