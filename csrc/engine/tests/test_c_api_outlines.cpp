/* The functions for C that trace outlines: they give the same results as those for C++. */

#include <gtest/gtest.h>

#include "c_error.hpp"
#include "for_c.hpp"
#include "no_memory.hpp"
#include "polymask/outlines.hpp"

namespace polymask::test
{

namespace
{

/* The arrays of outlines in C. */
struct COutlines {
    COutlines(std::size_t vertex_room, std::size_t ring_room, std::size_t polygon_room)
        : vertices(2 * vertex_room, -7), ring_offsets(ring_room + 1, -7),
          polygon_offsets(polygon_room + 1, -7), labels(polygon_room, -7),
          vertex_count(vertex_room), ring_count(ring_room), polygon_count(polygon_room)
    {
    }
    int write(const polymask_outlines *outlines, char *error = nullptr)
    {
        return polymask_write_outlines(outlines, vertices.data(), &vertex_count,
                                       ring_offsets.data(), &ring_count, polygon_offsets.data(),
                                       &polygon_count, labels.data(), error);
    }
    bool operator==(const COutlines &) const = default;

    std::vector<double> vertices;
    Offsets ring_offsets, polygon_offsets;
    std::vector<std::int32_t> labels;
    std::size_t vertex_count, ring_count, polygon_count;
};

polymask_outlines *traced(const Bytes &mask, std::int64_t rows, std::int64_t cols)
{
    polymask_outlines *outlines = nullptr;
    EXPECT_EQ(
        polymask_trace_mask(mask.data(), mask.size(), rows, cols, &outlines, nullptr, nullptr),
        POLYMASK_DONE);
    return outlines;
}

} // namespace

TEST(CApiOutlines, AreThoseOfCpp)
{
    Random random(96);
    for (int i = 0; i < 300; ++i) {
        const std::int64_t rows = random.integer(0, 12), cols = random.integer(0, 15),
                           stride = cols + random.integer(0, 3);
        OutlineOptions options;
        options.center = random.one_in(2);
        options.connectivity = random.one_in(2) ? Connectivity::corners : Connectivity::sides;
        options.row_offset = random.integer(-9, 9);
        options.column_offset = random.integer(-9, 9);
        const auto size = static_cast<std::size_t>(rows * stride);
        std::vector<std::int32_t> image(size);
        Bytes mask(size);
        for (std::size_t k = 0; k < size; ++k) {
            image[k] = static_cast<std::int32_t>(random.integer(-1, 2)) << 30;
            mask[k] = image[k] != 0 ? 5 : 0;
        }
        polymask_options given = test::for_c(options);
        given.row_stride = stride;
        Error error;
        polymask_outlines *outlines = nullptr;
        const bool of_mask = random.one_in(2);
        Outlines wanted;
        if (of_mask) {
            wanted = mask_to_rings({mask, rows, cols, stride}, options);
            ASSERT_EQ(polymask_trace_mask(mask.data(), size, rows, cols, &outlines, &given, error),
                      POLYMASK_DONE)
                << error.text();
        } else {
            given.background = random.one_in(2) ? 1 << 30 : 0;
            wanted = labels_to_rings({image, rows, cols, stride}, given.background, options);
            ASSERT_EQ(
                polymask_trace_labels(image.data(), size, rows, cols, &outlines, &given, error),
                POLYMASK_DONE)
                << error.text();
        }
        std::size_t vertices = 7, rings = 7, polygons = 7;
        ASSERT_EQ(polymask_write_outlines(outlines, nullptr, &vertices, nullptr, &rings, nullptr,
                                          &polygons, nullptr, error),
                  POLYMASK_DONE);
        COutlines found(vertices, rings, polygons);
        ASSERT_EQ(found.write(outlines, error), POLYMASK_DONE) << error.text();
        ASSERT_EQ(found.vertices, wanted.vertices) << i;
        ASSERT_EQ(found.ring_offsets, wanted.ring_offsets);
        ASSERT_EQ(found.polygon_offsets, wanted.polygon_offsets);
        ASSERT_EQ(Offsets(found.labels.begin(), found.labels.end()), wanted.labels);
        polymask_free_outlines(outlines);
    }
    polymask_free_outlines(nullptr);
}

TEST(CApiOutlines, HaveRoomAsRequested)
{
    polymask_outlines *const outlines = traced({1, 1, 1, 1, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 1}, 5, 3);
    const COutlines sizes(16, 4, 3);
    COutlines exact = sizes;
    Error error;
    ASSERT_EQ(exact.write(outlines, error), POLYMASK_DONE) << error.text();
    for (int small = 0; small < 3; ++small) {
        COutlines found(16 - (small == 0), 4 - (small == 1), 3 - (small == 2));
        COutlines before = found;
        ASSERT_EQ(found.write(outlines, error), POLYMASK_TOO_SMALL);
        const char *const messages[] = {"vertices: expected room for 32 numbers, got 30",
                                        "ring_offsets: expected room for 5 offsets, got 4",
                                        "polygon_offsets: expected room for 4 offsets, got 3"};
        EXPECT_EQ(error.text(), messages[small]);
        before.vertex_count = 16, before.ring_count = 4, before.polygon_count = 3;
        EXPECT_EQ(found, before) << "only the counts are written";
    }
    COutlines more(17, 6, 9);
    ASSERT_EQ(more.write(outlines, error), POLYMASK_DONE);
    EXPECT_EQ(more.vertex_count, 16U);
    EXPECT_EQ(more.ring_count, 4U);
    EXPECT_EQ(more.polygon_count, 3U);
    EXPECT_EQ(more.vertices[31], exact.vertices[31]);
    EXPECT_EQ(more.vertices[32], -7);
    EXPECT_EQ(more.ring_offsets[5], -7);
    EXPECT_EQ(more.labels[3], -7);
    COutlines unlabelled = sizes;
    ASSERT_EQ(polymask_write_outlines(outlines, unlabelled.vertices.data(),
                                      &unlabelled.vertex_count, unlabelled.ring_offsets.data(),
                                      &unlabelled.ring_count, unlabelled.polygon_offsets.data(),
                                      &unlabelled.polygon_count, nullptr, error),
              POLYMASK_DONE);
    EXPECT_EQ(unlabelled.vertices, exact.vertices);
    polymask_free_outlines(outlines);
}

TEST(CApiOutlines, InvalidImagesAreNotTraced)
{
    const Bytes mask(9, 1);
    const std::vector<std::int32_t> labels(9, 1);
    polymask_outlines *const before = traced(mask, 3, 3), *outlines = before;
    Error error;
    EXPECT_EQ(polymask_trace_mask(mask.data(), 8, 3, 3, &outlines, nullptr, error),
              POLYMASK_INVALID);
    EXPECT_NE(error.text().find("9"), std::string::npos) << error.text();
    EXPECT_EQ(outlines, nullptr);
    EXPECT_EQ(polymask_trace_labels(nullptr, 9, 3, 3, &outlines, nullptr, error), POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "labels: NULL, but the count is 9");
    EXPECT_EQ(polymask_trace_labels(labels.data(), 9, 3, 3, nullptr, nullptr, error),
              POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "outlines: NULL");

    COutlines found(4, 1, 1);
    const COutlines unwritten = found;
    EXPECT_EQ(found.write(nullptr, error), POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "outlines: NULL");
    EXPECT_EQ(polymask_write_outlines(before, nullptr, &found.vertex_count,
                                      found.ring_offsets.data(), &found.ring_count,
                                      found.polygon_offsets.data(), &found.polygon_count, nullptr,
                                      error),
              POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "vertices: NULL, but the count is 4");
    EXPECT_EQ(polymask_write_outlines(
                  before, found.vertices.data(), &found.vertex_count, found.ring_offsets.data(),
                  nullptr, found.polygon_offsets.data(), &found.polygon_count, nullptr, error),
              POLYMASK_INVALID);
    EXPECT_EQ(error.text(), "ring_count: NULL");
    EXPECT_EQ(found, unwritten);
    polymask_free_outlines(before);
}

TEST(CApiOutlines, MemoryThatCannotBeAllocated)
{
    const Bytes mask(9, 1);
    polymask_outlines *const outlines = traced(mask, 3, 3), *more = outlines;
    COutlines rings(4, 1, 1);
    const COutlines before = rings;
    Error of_trace, of_write;
    has_memory = false;
    const int trace = polymask_trace_mask(mask.data(), 9, 3, 3, &more, nullptr, of_trace);
    const int write = rings.write(outlines, of_write);
    has_memory = true;
    EXPECT_EQ(trace, POLYMASK_OUT_OF_MEMORY);
    EXPECT_EQ(write, POLYMASK_OUT_OF_MEMORY);
    for (const Error *error : {&of_trace, &of_write})
        EXPECT_EQ(error->text(), "work memory cannot be allocated");
    EXPECT_EQ(more, nullptr);
    EXPECT_EQ(rings, before);
    polymask_free_outlines(outlines);
}

} // namespace polymask::test
