/* The functions for C: they give the same results as those for C++, and report errors. */

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>

#include "c_error.hpp"
#include "for_c.hpp"
#include "no_memory.hpp"
#include "polymask/coverage.hpp"
#include "polymask/interruption.hpp"
#include "polymask/labels.hpp"

namespace polymask::test
{

namespace
{

constexpr std::size_t huge = std::numeric_limits<std::size_t>::max();

/* A call to polymask_fill_mask in which one argument may be changed. */
struct MaskCall {
    std::vector<double> triangle = {2, 1, 37, 3, 9, 17};
    const double *vertices = triangle.data();
    std::size_t vertex_count = 3;
    const std::int64_t *ring_starts = nullptr;
    std::size_t ring_count = 0;
    std::int64_t rows = 18, cols = 40;
    Bytes mask = Bytes(18 * 40, 7);
    std::uint8_t *out = mask.data();
    std::size_t out_size = mask.size();
    polymask_options options = defaults();
    Error error;

    int status()
    {
        return polymask_fill_mask(vertices, vertex_count, ring_starts, ring_count, rows, cols, out,
                                  out_size, &options, error);
    }
    /* Returns the error, and checks that nothing was written. */
    std::string refused(int expected = POLYMASK_INVALID)
    {
        EXPECT_EQ(status(), expected);
        EXPECT_EQ(mask, Bytes(mask.size(), 7));
        return error.text();
    }
};

Options random_filling(Random &random)
{
    Options options = random_options(random);
    options.threads = static_cast<int>(random.integer(0, 3));
    options.stores = Stores{static_cast<int>(random.integer(0, 3))};
    const auto sets = available_instruction_sets();
    options.instruction_set = sets[static_cast<std::size_t>(random.integer(0, 7)) % sets.size()];
    return options;
}

} // namespace

TEST(CApi, MasksAreThoseOfCpp)
{
    Random random(91);
    for (int i = 0; i < 300; ++i) {
        const Features features = random_features(random, 1, 20, 33);
        if (features.vertices.empty())
            continue;
        const Rings rings = features.polygon(0);
        if (rings.vertices.empty())
            continue;
        Options options = random_filling(random);
        options.row_stride = random.one_in(2) ? 33 + random.integer(0, 4) : 0;
        options.out_is_zero = random.one_in(2);
        const std::uint8_t before = options.out_is_zero ? 0 : 7;
        const std::int64_t stride = options.row_stride != 0 ? options.row_stride : 33;
        Bytes wanted(static_cast<std::size_t>(20 * stride), before);
        Bytes mask = wanted;
        fill_mask(rings.view(), options.grid(20, 33), wanted, options.rule(), options.output(),
                  options.work());
        const polymask_options for_both = for_c(options);
        Error error;
        ASSERT_EQ(polymask_fill_mask(rings.vertices.data(), rings.vertices.size() / 2,
                                     rings.starts.data(), rings.starts.size(), 20, 33, mask.data(),
                                     mask.size(), &for_both, error),
                  POLYMASK_DONE)
            << error.text();
        ASSERT_EQ(error.text(), "");
        ASSERT_EQ(mask, wanted) << i;
    }
}

TEST(CApi, PointsAreThoseOfCpp)
{
    Random random(92);
    for (int i = 0; i < 300; ++i) {
        const auto vertices = polygon(random, Kind::integers, 9, 20, 20);
        std::vector<double> points;
        for (int k = 0; k < 200; ++k)
            points.push_back(static_cast<double>(random.integer(0, 40)) / 2);
        const Options options = random_options(random);
        Bytes wanted(100), inside(100, 7);
        contains({vertices}, points, wanted, options.rule(), options.work());
        polymask_options given = defaults();
        given.border = for_c(options).border;
        given.watertight = options.watertight;
        given.threads = static_cast<std::int32_t>(random.integer(0, 2));
        ASSERT_EQ(polymask_contains(vertices.data(), 9, nullptr, 0, points.data(), 100,
                                    inside.data(), &given, nullptr),
                  POLYMASK_DONE);
        ASSERT_EQ(inside, wanted) << i;
    }
}

TEST(CApi, LabelsAreThoseOfCpp)
{
    Random random(93);
    for (int i = 0; i < 300; ++i) {
        const Features features = random_features(random, random.integer(0, 6), 20, 30);
        Options options = random_filling(random);
        options.stores = Stores::automatic;
        Labels<std::int32_t> labels;
        const std::vector<std::int32_t> numbers = {9, -5, 2, 1 << 30, 4, 8};
        const auto count = static_cast<std::size_t>(features.view().features());
        if (random.one_in(2))
            labels.of_features = std::span(numbers).first(count);
        labels.background = random.one_in(2) ? -3 : 0;
        labels.keeps_background = random.one_in(3);
        labels.adds = random.one_in(3);
        const OnTop on_top{static_cast<int>(random.integer(0, 2))};
        std::vector<std::int32_t> wanted(20 * 30, 11), image(20 * 30, 11);
        fill_labels<std::int32_t>(features.view(), options.grid(20, 30), labels, wanted, on_top,
                                  options.selection(), options.output(), options.work());
        polymask_options given = for_c(options);
        given.on_top = static_cast<std::int32_t>(on_top);
        given.background = labels.background;
        given.keeps_background = labels.keeps_background;
        given.adds = labels.adds;
        const polymask_polygons polygons = for_c(features);
        Error error;
        ASSERT_EQ(polymask_fill_labels(&polygons, labels.of_features.data(),
                                       labels.of_features.size(), 20, 30, image.data(),
                                       image.size(), &given, error),
                  POLYMASK_DONE)
            << error.text();
        ASSERT_EQ(image, wanted) << i;
    }
}

TEST(CApi, FractionsAreThoseOfCpp)
{
    Random random(94);
    for (int i = 0; i < 300; ++i) {
        const auto vertices = polygon(random, Kind::reals, 7, 20, 30);
        Options options;
        options.center = random.one_in(2);
        options.row_offset = random.integer(-9, 9);
        options.column_offset = random.integer(-9, 9);
        options.out_is_zero = random.one_in(2);
        std::vector<float> wanted(20 * 30), fractions(20 * 30);
        polymask_options given = defaults();
        given.center = options.center;
        given.row_offset = options.row_offset;
        given.column_offset = options.column_offset;
        given.out_is_zero = options.out_is_zero;
        given.subpixels = static_cast<std::int32_t>(random.integer(0, 3));
        if (given.subpixels == 0)
            coverage({vertices}, options.grid(20, 30), wanted, options.output(),
                     options.instruction_set);
        else
            coverage_samples({vertices}, options.grid(20, 30), given.subpixels, wanted,
                             options.row_stride, options.instruction_set);
        ASSERT_EQ(polymask_coverage(vertices.data(), 7, nullptr, 0, 20, 30, fractions.data(),
                                    fractions.size(), &given, nullptr),
                  POLYMASK_DONE);
        ASSERT_EQ(fractions, wanted) << i;
    }
}

TEST(CApi, NothingNeedNoPointer)
{
    const std::vector<double> triangle = {2, 1, 37, 3, 9, 17};
    const polymask_polygons none = {};
    EXPECT_EQ(
        polymask_fill_mask(triangle.data(), 3, nullptr, 0, 0, 40, nullptr, 0, nullptr, nullptr),
        POLYMASK_DONE);
    EXPECT_EQ(
        polymask_contains(triangle.data(), 3, nullptr, 0, nullptr, 0, nullptr, nullptr, nullptr),
        POLYMASK_DONE);
    std::int32_t label = 5;
    EXPECT_EQ(polymask_fill_labels(&none, nullptr, 0, 1, 1, &label, 1, nullptr, nullptr),
              POLYMASK_DONE);
    EXPECT_EQ(label, 0);
    EXPECT_EQ(
        polymask_coverage(triangle.data(), 3, nullptr, 0, 0, 40, nullptr, 0, nullptr, nullptr),
        POLYMASK_DONE);
}

TEST(CApi, PointersThatAreNull)
{
    MaskCall vertices;
    vertices.vertices = nullptr;
    EXPECT_EQ(vertices.refused(), "vertices: NULL, but the count is 3");
    MaskCall starts;
    starts.ring_count = 2;
    EXPECT_EQ(starts.refused(), "ring_starts: NULL, but the count is 2");
    MaskCall out;
    out.out = nullptr;
    EXPECT_EQ(out.refused(), "out: NULL, but the count is 720");

    const std::vector<double> triangle = {2, 1, 37, 3, 9, 17};
    const std::vector<std::int64_t> rings = {0, 3};
    const std::vector<double> point = {9, 9};
    Error error;
    std::uint8_t inside = 7;
    EXPECT_EQ(
        polymask_contains(triangle.data(), 3, nullptr, 0, nullptr, 1, &inside, nullptr, error),
        POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "points: NULL, but the count is 1");
    EXPECT_EQ(
        polymask_contains(triangle.data(), 3, nullptr, 0, point.data(), 1, nullptr, nullptr, error),
        POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "out: NULL, but the count is 1");
    EXPECT_EQ(inside, 7);

    float fraction = 7;
    EXPECT_EQ(polymask_coverage(nullptr, 3, nullptr, 0, 1, 1, &fraction, 1, nullptr, error),
              POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "vertices: NULL, but the count is 3");
    EXPECT_EQ(fraction, 7);

    std::int32_t label = 7;
    const auto refused = [&](const polymask_polygons *polygons, std::size_t labels = 0) {
        EXPECT_EQ(polymask_fill_labels(polygons, nullptr, labels, 1, 1, &label, 1, nullptr, error),
                  POLYMASK_INVALID);
        EXPECT_EQ(label, 7);
        return error.text();
    };
    EXPECT_EQ(refused(nullptr), "polygons: NULL");
    polymask_polygons polygons = {triangle.data(), 3, rings.data(), 1, nullptr, 0, nullptr, 0};
    EXPECT_EQ(refused(&polygons, 1), "labels: NULL, but the count is 1");
    polygons.feature_count = 1;
    EXPECT_EQ(refused(&polygons), "feature_offsets: NULL, but the count is 1");
    polygons.polygon_count = 1;
    EXPECT_EQ(refused(&polygons), "polygon_offsets: NULL, but the count is 1");
    polygons.ring_offsets = nullptr;
    EXPECT_EQ(refused(&polygons), "ring_offsets: NULL, but the count is 1");
}

TEST(CApi, CountsBeyondTheAddressSpace)
{
    MaskCall vertices;
    vertices.vertex_count = huge / 16 + 1; /* times the size of two doubles overflows to 0 */
    EXPECT_EQ(vertices.refused(), "vertices: " + std::to_string(vertices.vertex_count) +
                                      " are beyond the address space");
    std::int32_t label = 7;
    const std::int64_t offset = 0;
    Error error;
    const polymask_polygons polygons = {nullptr, 0, &offset, huge, nullptr, 0, nullptr, 0};
    EXPECT_EQ(polymask_fill_labels(&polygons, nullptr, 0, 1, 1, &label, 1, nullptr, error),
              POLYMASK_INVALID);
    EXPECT_EQ(error.text(),
              "ring_offsets: " + std::to_string(huge) + " are beyond the address space");
    EXPECT_EQ(label, 7);
}

TEST(CApi, WhatCppRefusesIsRefusedInItsWords)
{
    MaskCall few;
    few.vertex_count = 2;
    EXPECT_EQ(few.refused(), "vertices: a polygon has at least 3, got 2");
    MaskCall small;
    small.out_size = 719;
    EXPECT_EQ(small.refused(), "out: expected 720 bytes, got 719");
    MaskCall negative;
    negative.options.threads = -1;
    EXPECT_EQ(negative.refused(), "threads: at least 0, got -1");
    EXPECT_EQ(polymask_fill_mask(negative.vertices, 3, nullptr, 0, 18, -1, negative.out, 720,
                                 nullptr, nullptr),
              POLYMASK_INVALID);

    Error error;
    float fraction = 7;
    polymask_options options = defaults();
    options.subpixels = 33;
    EXPECT_EQ(polymask_coverage(few.vertices, 3, nullptr, 0, 1, 1, &fraction, 1, &options, error),
              POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "subpixels: 1 to 32, got 33");
    options.subpixels = -1;
    EXPECT_EQ(polymask_coverage(few.vertices, 3, nullptr, 0, 1, 1, &fraction, 1, &options, error),
              POLYMASK_INVALID);
}

TEST(CApi, LongErrorsAreCut)
{
    MaskCall call; /* the message contains all digits of the numbers */
    call.triangle = {-1e308, std::numeric_limits<double>::infinity(), 1, 1, 2, 2};
    call.vertices = call.triangle.data();
    const std::string error = call.refused();
    EXPECT_EQ(error.size(), POLYMASK_ERROR_SIZE - 1);
    EXPECT_EQ(error.find("vertices: vertex 0 is not finite: (-1000"), 0U);
}

TEST(CApi, WhatIsNotHere)
{
    MaskCall call;
    const auto sets = available_instruction_sets();
    const auto has = [&](InstructionSet set) {
        return std::find(sets.begin(), sets.end(), set) != sets.end();
    };
    call.options.instruction_set =
        has(InstructionSet::neon) ? POLYMASK_ISA_AVX2 : POLYMASK_ISA_NEON; /* one is unavailable */
    EXPECT_NE(call.refused(POLYMASK_UNAVAILABLE).find(" is not available"), std::string::npos);
    float fraction = 7;
    EXPECT_EQ(polymask_coverage(call.vertices, 3, nullptr, 0, 1, 1, &fraction, 1, &call.options,
                                call.error),
              POLYMASK_UNAVAILABLE);
    EXPECT_EQ(fraction, 7);
}

TEST(CApi, MemoryThatCannotBeHad)
{
    MaskCall call;
    const std::vector<std::int64_t> ring = {0, 3};
    const polymask_polygons polygons = {call.vertices, 3, ring.data(), 1, nullptr, 0, nullptr, 0};
    std::int32_t label = 7;
    float fraction = 7;
    Error of_labels, of_fractions;
    has_memory = false;
    const int mask = call.status();
    const int labels =
        polymask_fill_labels(&polygons, nullptr, 0, 1, 1, &label, 1, nullptr, of_labels);
    const int fractions =
        polymask_coverage(call.vertices, 3, nullptr, 0, 1, 1, &fraction, 1, nullptr, of_fractions);
    has_memory = true;
    EXPECT_EQ(mask, POLYMASK_OUT_OF_MEMORY);
    EXPECT_EQ(labels, POLYMASK_OUT_OF_MEMORY);
    EXPECT_EQ(fractions, POLYMASK_OUT_OF_MEMORY);
    for (const Error *error : {&call.error, &of_labels, &of_fractions})
        EXPECT_EQ(error->text(), "work memory cannot be allocated");
    EXPECT_EQ(call.mask, Bytes(18 * 40, 7));
    EXPECT_EQ(label, 7);
    EXPECT_EQ(fraction, 7);
}

TEST(CApi, AnyOtherExceptionIsAFailure)
{
    MaskCall call;
    static const std::logic_error unexpected("unexpected");  /* made here, as it allocates */
    static const std::length_error many("too many corners"); /* as from outlines */
    on_allocation = [] { throw many; };
    const int of_length = call.status();
    on_allocation = [] { throw unexpected; };
    const int of_exception = call.status();
    const std::string text = call.error.text();
    on_allocation = [] { throw 7; };
    const int of_number = call.status();
    on_allocation = nullptr;
    EXPECT_EQ(of_length, POLYMASK_INVALID);
    EXPECT_EQ(of_exception, POLYMASK_FAILED);
    EXPECT_EQ(text, "unexpected");
    EXPECT_EQ(of_number, POLYMASK_FAILED);
    EXPECT_EQ(call.error.text(), "an unknown exception");
}

/* With one thread, because a second one could fill the mask before the caller asks. */
TEST(CApi, CallsAreStopped)
{
    const std::vector<double> triangle = {1, 1, 5900, 5, 40, 5900};
    Bytes mask(6000 * 6000);
    polymask_options options = defaults();
    options.threads = 1;
    const Interruption stop([](void *) noexcept { return true; }, nullptr,
                            std::chrono::milliseconds(0));
    Error error;
    EXPECT_EQ(polymask_fill_mask(triangle.data(), 3, nullptr, 0, 6000, 6000, mask.data(),
                                 mask.size(), &options, error),
              POLYMASK_INTERRUPTED);
    EXPECT_EQ(error.text(), "the call was stopped");
}

/* A struct of another version: its fields, followed by memory that must not be read. */
struct OtherOptions {
    polymask_options known = defaults();
    std::array<unsigned char, 16> more = {};
};

TEST(CApi, AStructOfAnOlderHeaderHasDefaultsForWhatItLacks)
{
    MaskCall call;
    call.options.row_offset = 3;
    call.options.threads = -1; /* may be another variable of the program */
    call.options.size = offsetof(polymask_options, threads);
    ASSERT_EQ(call.status(), POLYMASK_DONE) << call.error.text();
    Options options;
    options.row_offset = 3;
    EXPECT_EQ(call.mask, filled({call.triangle}, 18, 40, options));
}

TEST(CApi, AStructOfANewerHeaderMayHaveNothingNew)
{
    MaskCall call;
    OtherOptions options;
    options.known.size = sizeof options;
    const auto status = [&] {
        return polymask_fill_mask(call.vertices, 3, nullptr, 0, 18, 40, call.out, 720,
                                  &options.known, call.error);
    };
    EXPECT_EQ(status(), POLYMASK_DONE);
    EXPECT_EQ(call.mask, filled({call.triangle}, 18, 40));
    for (const std::size_t at : {options.more.size() - 1, std::size_t{5}}) {
        options.more[at] = 1;
        EXPECT_EQ(status(), POLYMASK_INVALID);
        EXPECT_EQ(call.error.text(),
                  "options: byte " + std::to_string(sizeof(polymask_options) + at) +
                      " is set, which version " + polymask_version() + " does not know");
    }
    options.known.size = sizeof(polymask_options); /* then the new field is not part of it */
    EXPECT_EQ(status(), POLYMASK_DONE);
}

TEST(CApi, SizesThatNoStructHas)
{
    for (const std::size_t size : {std::size_t{0}, sizeof(std::size_t) - 1, huge}) {
        MaskCall call;
        call.options.size = size;
        EXPECT_EQ(call.refused(), "options: size is sizeof(polymask_options), " +
                                      std::to_string(sizeof(polymask_options)) + ", not " +
                                      std::to_string(size));
    }
}

TEST(CApi, NumbersThatAnEnumHasNot)
{
    for (const std::int32_t value : {-1, 5}) {
        MaskCall border, set, stores;
        border.options.border = set.options.instruction_set = stores.options.stores = value;
        const std::string end = ": " + std::to_string(value) + " is not in polymask_";
        EXPECT_EQ(border.refused(), "border" + end + "border");
        EXPECT_EQ(set.refused(), "instruction_set" + end + "instruction_set");
        EXPECT_EQ(stores.refused(), "stores" + end + "stores");
        const polymask_polygons none = {};
        polymask_options on_top = defaults(), touched = defaults();
        on_top.on_top = touched.touched = value;
        Error error;
        EXPECT_EQ(polymask_fill_labels(&none, nullptr, 0, 0, 0, nullptr, 0, &on_top, error),
                  POLYMASK_INVALID);
        EXPECT_EQ(error.text(), "on_top" + end + "on_top");
        EXPECT_EQ(polymask_boxes(&none, 0, 0, nullptr, 0, &touched, error), POLYMASK_INVALID);
        EXPECT_EQ(error.text(), "touched" + end + "touched");
    }
}

TEST(CApi, TouchedSquaresHaveNoRule)
{
    for (const auto field : {&polymask_options::border, &polymask_options::watertight}) {
        const polymask_polygons none = {};
        polymask_options options = defaults();
        options.touched = POLYMASK_TOUCHED_CLOSED;
        EXPECT_EQ(polymask_boxes(&none, 9, 9, nullptr, 0, &options, nullptr), POLYMASK_DONE);
        options.*field = 1;
        Error error;
        EXPECT_EQ(polymask_boxes(&none, 9, 9, nullptr, 0, &options, error), POLYMASK_INVALID);
        EXPECT_EQ(error.text().substr(0, 8), "touched:");
    }
}

/* Each function with one option set, which it may not have. */
TEST(CApi, OptionsThatAFunctionHasNot)
{
    const auto refused_by = [](auto set) {
        polymask_options options = defaults();
        set(options);
        const std::vector<double> triangle = {1, 1, 3, 1, 1, 3};
        const polymask_polygons none = {};
        std::array<std::uint8_t, 4> mask = {};
        std::array<std::int32_t, 4> labels = {};
        std::array<float, 4> fractions = {};
        std::string who;
        Error error;
        const auto add = [&](char initial, int status) {
            if (status == POLYMASK_DONE)
                return;
            EXPECT_EQ(status, POLYMASK_INVALID);
            EXPECT_NE(error.text().find(": this function has no such option"), std::string::npos);
            who += initial;
        };
        add('m', polymask_fill_mask(triangle.data(), 3, nullptr, 0, 1, 4, mask.data(), 4, &options,
                                    error));
        add('p', polymask_contains(triangle.data(), 3, nullptr, 0, triangle.data(), 3, mask.data(),
                                   &options, error));
        add('l', polymask_fill_labels(&none, nullptr, 0, 1, 4, labels.data(), 4, &options, error));
        add('f', polymask_coverage(triangle.data(), 3, nullptr, 0, 1, 4, fractions.data(), 4,
                                   &options, error));
        std::size_t runs = 0;
        add('n', polymask_pixel_counts(&none, 1, 4, nullptr, 0, &options, error));
        add('s', polymask_pixel_sums(&none, 1, 4, nullptr, 0, &options, error));
        add('r', polymask_label_runs(&none, 1, 4, nullptr, 0, nullptr, nullptr, nullptr, &runs,
                                     &options, error));
        add('b', polymask_boxes(&none, 1, 4, nullptr, 0, &options, error));
        add('c', polymask_fill_crops(&none, 1, 4, nullptr, 0, nullptr, 0, &options, error));
        for (const bool of_mask : {true, false}) {
            polymask_outlines *outlines = nullptr;
            add(of_mask ? 'o' : 'O',
                of_mask
                    ? polymask_trace_mask(mask.data(), 4, 1, 4, &outlines, &options, error)
                    : polymask_trace_labels(labels.data(), 4, 1, 4, &outlines, &options, error));
            polymask_free_outlines(outlines);
        }
        return who;
    };
    EXPECT_EQ(refused_by([](auto &options) { options.row_offset = 1; }), "p");
    EXPECT_EQ(refused_by([](auto &options) { options.column_offset = 1; }), "p");
    EXPECT_EQ(refused_by([](auto &options) { options.row_stride = 4; }), "pnsrbc");
    EXPECT_EQ(refused_by([](auto &options) { options.center = 1; }), "p");
    EXPECT_EQ(refused_by([](auto &options) { options.border = POLYMASK_BORDER_OUTSIDE; }), "foO");
    EXPECT_EQ(refused_by([](auto &options) { options.watertight = 1; }), "foO");
    EXPECT_EQ(refused_by([](auto &options) { options.threads = 1; }), "foO");
    EXPECT_EQ(refused_by([](auto &options) { options.touched = POLYMASK_TOUCHED_OPEN; }), "mpfoO");
    EXPECT_EQ(refused_by([](auto &options) { options.instruction_set = POLYMASK_ISA_PLAIN; }),
              "poO");
    EXPECT_EQ(refused_by([](auto &options) { options.out_is_zero = 1; }), "pnsrboO");
    EXPECT_EQ(refused_by([](auto &options) { options.stores = POLYMASK_STORES_CACHED; }),
              "plfnsrbcoO");
    EXPECT_EQ(refused_by([](auto &options) { options.on_top = POLYMASK_ON_TOP_FIRST; }),
              "mpfnsrbcoO");
    EXPECT_EQ(refused_by([](auto &options) { options.background = 1; }), "mpfnsrbco");
    EXPECT_EQ(refused_by([](auto &options) { options.keeps_background = 1; }), "mpfnsrbcoO");
    EXPECT_EQ(refused_by([](auto &options) { options.adds = 1; }), "mpfnsrbcoO");
    EXPECT_EQ(refused_by([](auto &options) { options.subpixels = 2; }), "mplnsrbcoO");
    EXPECT_EQ(refused_by([](auto &options) { options.joins_corners = 1; }), "mplfnsrbc");
}

TEST(CApi, HasTheVersionOfItsHeaders)
{
    EXPECT_STREQ(polymask_version(), POLYMASK_VERSION);
    EXPECT_EQ(polymask_version_number(), POLYMASK_VERSION_NUMBER);
}

} // namespace polymask::test
