/* Kept images, Options::dirty: masks one after the other in the same memory. */

#include <gtest/gtest.h>

#include "features.hpp"
#include "no_memory.hpp"
#include "polymask/coverage.hpp"
#include "polymask/interruption.hpp"
#include "polymask/labels.hpp"
#include "polymask/touched.hpp"

namespace polymask::test
{

namespace
{

/* An image in a larger array: its rows are `stride` bytes apart, and `gap` bytes lie between. */
struct Kept {
    static constexpr std::uint8_t gap = 0xa5;

    std::int64_t rows, cols;
    bool in_bits;
    std::int64_t row_bytes, stride;
    Bytes array;
    Box dirty = {};

    Kept(std::int64_t height, std::int64_t width, bool packed, std::int64_t more)
        : rows(height), cols(width), in_bits(packed),
          row_bytes(packed ? packed_row_bytes(width) : width), stride(row_bytes + more)
    {
        array = in_place(Bytes(static_cast<std::size_t>(rows * row_bytes)));
    }
    Status fill(const Polygon &polygon, Options options)
    {
        options.row_stride = stride;
        options.dirty = &dirty;
        return (in_bits ? fill_packed_unchecked : fill_mask_unchecked)(polygon, rows, cols,
                                                                       array.data(), options);
    }
    /* Returns the array for the mask by the rule. */
    Bytes wanted(const Polygon &polygon, const Options &options) const
    {
        const Bytes mask = rule_mask(polygon, rows, cols, options);
        return in_place(in_bits ? packed(mask, rows, cols) : mask);
    }
    /* Returns whether a byte has samples of a box. */
    bool has(const Box &box, std::int64_t row, std::int64_t byte) const
    {
        const std::int64_t width = in_bits ? 8 : 1;
        return row >= box.top && row < box.bottom && byte * width < box.right &&
               (byte + 1) * width > box.left && box.left < box.right;
    }
    template <class Visit> void for_bytes(Visit visit)
    {
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t byte = 0; byte < row_bytes; ++byte)
                visit(array[static_cast<std::size_t>(row * stride + byte)], row, byte);
    }
    bool is_zero_outside()
    {
        bool zero = true;
        for_bytes([&](std::uint8_t &value, std::int64_t row, std::int64_t byte) {
            zero = zero && (value == 0 || has(dirty, row, byte));
        });
        return zero;
    }

  private:
    Bytes in_place(const Bytes &mask) const
    {
        Bytes all(static_cast<std::size_t>(rows * stride), gap);
        for (std::int64_t row = 0; row < rows; ++row)
            std::copy_n(mask.begin() + row * row_bytes, row_bytes, all.begin() + row * stride);
        return all;
    }
};

/* Returns a polygon that fills the image, or a part of it anywhere, also outside. */
std::vector<double> anywhere(Random &random, const Kept &kept)
{
    const Kind kind = all_kinds[random.integer(0, std::size(all_kinds) - 1)];
    const double part = random.one_in(4) ? 1 : 0.2, height = static_cast<double>(kept.rows),
                 width = static_cast<double>(kept.cols);
    auto vertices = polygon(random, kind, random.integer(3, 12), part * height, part * width);
    const double x = std::floor(random.real(-0.2, 1.2 - part) * width),
                 y = std::floor(random.real(-0.2, 1.2 - part) * height);
    for (std::size_t i = 0; i < vertices.size(); i += 2)
        vertices[i] += x, vertices[i + 1] += y;
    return vertices;
}

Options some_options(Random &random, InstructionSet set)
{
    Options options = random_options(random);
    options.instruction_set = set;
    options.stores = static_cast<Stores>(random.integer(1, 3));
    options.threads = static_cast<int>(random.integer(1, 3));
    return options;
}

} // namespace

class Dirty : public testing::TestWithParam<InstructionSet>
{
};

TEST_P(Dirty, HasTheMaskOfTheLastPolygon)
{
    Random random(91);
    for (int i = 0; i < 80; ++i) {
        Kept kept(random.integer(1, 60), random.integer(1, i % 5 == 0 ? 900 : 150),
                  random.one_in(2), random.one_in(2) ? random.integer(1, 70) : 0);
        for (int k = 0; k < 6; ++k) {
            const auto vertices = anywhere(random, kept);
            const Options options = some_options(random, GetParam());
            ASSERT_EQ(kept.fill({vertices}, options), Status::ok);
            ASSERT_EQ(difference(kept.array, kept.wanted({vertices}, options), kept.stride), "")
                << "image " << i << ", polygon " << k;
            ASSERT_EQ(kept.dirty, bounding_box({vertices}, kept.rows, kept.cols, options));
        }
    }
}

/* The box may contain anything, and marks outside of both boxes stay. */
TEST_P(Dirty, AccessesBothBoxesOnly)
{
    Random random(92);
    for (int i = 0; i < 200; ++i) {
        Kept kept(random.integer(1, 60), random.integer(20, 600), i % 2 == 0, i % 3);
        const auto vertices = anywhere(random, kept);
        const Options options = some_options(random, GetParam());
        const Box box = bounding_box({vertices}, kept.rows, kept.cols, options);
        if (box.cols() + 14 > kept.cols / 2) /* such rows are filled completely */
            continue;
        const std::int64_t top = random.integer(0, kept.rows), left = random.integer(0, kept.cols);
        const Box old = {top, random.integer(top, kept.rows), left,
                         random.integer(left, kept.cols)};
        Bytes wanted = kept.wanted({vertices}, options);
        kept.for_bytes([&](std::uint8_t &byte, std::int64_t row, std::int64_t column) {
            constexpr std::uint8_t mark = 0xee;
            byte = kept.has(old, row, column) ? 0x77 : kept.has(box, row, column) ? 0 : mark;
            if (byte == mark)
                wanted[static_cast<std::size_t>(row * kept.stride + column)] = mark;
        });
        kept.dirty = old;
        ASSERT_EQ(kept.fill({vertices}, options), Status::ok);
        ASSERT_EQ(difference(kept.array, wanted, kept.stride), "") << "image " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Dirty, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &tested) { return name(tested.param); });

/* Fills a second polygon, stopped at each possible place by `stop(n)`, a scope, until it is not
 * stopped; the number of tries that were stopped before and after the call began to write. */
template <class Stop>
std::pair<int, int> stopped_calls(std::int64_t rows, std::int64_t cols, bool packed, Status status,
                                  Stop stop)
{
    const auto x = static_cast<double>(cols), y = static_cast<double>(rows);
    const std::vector<double> first = {0, 0, 0.55 * x, 0, 5, y},
                              second = {0.6 * x, 0.2 * y, x, 0.1 * y, 0.7 * x, 0.9 * y};
    const Options options = {.threads = 1};
    Kept kept(rows, cols, packed, 3);
    std::pair<int, int> tries = {};
    for (int n = 1;; ++n) {
        EXPECT_EQ(kept.fill({first}, options), Status::ok);
        const Box old = kept.dirty;
        const Bytes before = kept.array;
        Status ended;
        {
            const auto scope = stop(n);
            ended = kept.fill({second}, options);
        }
        if (ended == Status::ok) {
            EXPECT_EQ(difference(kept.array, kept.wanted({second}, options), kept.stride), "");
            return tries;
        }
        EXPECT_EQ(ended, status);
        EXPECT_TRUE(kept.is_zero_outside()) << n;
        const bool unchanged = kept.dirty == old;
        EXPECT_TRUE(!unchanged || kept.array == before) << n;
        ++(unchanged ? tries.first : tries.second);
    }
}

/* An image in two parts: the memory of the second is allocated after the first is filled. */
TEST(DirtyBox, HoldsWhenMemoryIsMissing)
{
    static int left;
    struct Scope {
        explicit Scope(int n)
        {
            left = n;
            on_allocation = [] {
                if (--left == 0)
                    throw std::bad_alloc();
            };
        }
        ~Scope() { on_allocation = nullptr; }
    };
    const auto [before, after] =
        stopped_calls(3, (std::int64_t{1} << 20) + 500, true, Status::out_of_memory,
                      [](int n) { return Scope(n); });
    EXPECT_GT(before, 0);
    EXPECT_GT(after, 0);
}

/* Also while the old box is zeroed, in two pieces of 2 MiB. */
TEST(DirtyBox, HoldsWhenInterrupted)
{
    struct Scope {
        int left;
        Interruption interruption{
            [](void *scope) noexcept { return --static_cast<Scope *>(scope)->left == 0; }, this,
            std::chrono::milliseconds(0)};
    };
    const auto [before, after] = stopped_calls(2000, 3000, false, Status::interrupted,
                                               [](int n) { return Scope{.left = n}; });
    EXPECT_GT(before + after, 10);
    EXPECT_GT(after, 0);
}

TEST(DirtyBox, HoldsForSquares)
{
    Random random(93);
    for (int i = 0; i < 40; ++i) {
        const Kept kept(random.integer(1, 40), random.integer(1, 90), false, 0);
        const auto pixels = static_cast<std::size_t>(kept.rows * kept.cols);
        Bytes touched(pixels);
        std::vector<float> areas(pixels);
        Box of_touched, of_areas;
        for (int k = 0; k < 6; ++k) {
            const auto vertices = anywhere(random, kept);
            Options options;
            options.center = random.one_in(2);
            options.row_offset = random.integer(-9, 9);
            Bytes wanted(pixels, 7);
            fill_touched({vertices}, kept.rows, kept.cols, wanted, options);
            std::vector<float> wanted_areas(pixels, 7);
            coverage({vertices}, kept.rows, kept.cols, wanted_areas, options);
            options.dirty = &of_touched;
            fill_touched({vertices}, kept.rows, kept.cols, touched, options);
            ASSERT_EQ(difference(touched, wanted, kept.cols), "") << i << ", polygon " << k;
            options.dirty = &of_areas;
            coverage({vertices}, kept.rows, kept.cols, areas, options);
            ASSERT_EQ(areas, wanted_areas) << i << ", polygon " << k;
        }
    }
}

TEST(DirtyBox, IsTheImageFarOut)
{
    const std::int64_t offset = std::int64_t{1} << 60;
    const auto far = static_cast<double>(offset);
    const std::vector<double> vertices = {far - 9000, far + 100, far + 9000, far, far, far + 9000};
    Kept kept(9, 20, false, 0);
    Options options;
    options.row_offset = options.column_offset = offset;
    ASSERT_EQ(kept.fill({vertices}, options), Status::ok);
    EXPECT_EQ(kept.array, kept.wanted({vertices}, options));
    EXPECT_EQ(kept.dirty, (Box{0, 9, 0, 20}));
    ASSERT_EQ(kept.fill({vertices}, {}), Status::ok);
    EXPECT_EQ(kept.array, Bytes(9 * 20));
}

TEST(DirtyBox, IsChecked)
{
    const std::vector<double> vertices = {0, 0, 9, 0, 0, 9};
    Bytes out(8 * 9, 0xee);
    const auto refused = [&](Box box, Options options = {}) {
        const Box before = box;
        options.dirty = &box;
        try {
            fill_mask({vertices}, 8, 9, out, options);
        } catch (const std::invalid_argument &error) {
            EXPECT_EQ(box, before);
            return std::string(error.what());
        }
        return std::string();
    };
    for (const Box &box : {Box{-1, 8, 0, 9}, Box{5, 4, 0, 9}, Box{0, 9, 0, 9}, Box{0, 8, -1, 9},
                           Box{0, 8, 5, 4}, Box{0, 8, 0, 10}})
        EXPECT_NE(refused(box).find("dirty: rows "), std::string::npos);
    EXPECT_EQ(refused({0, 4, 0, 4}, {.out_is_zero = true}),
              "out_is_zero: with dirty, an empty box says that");
    Box box;
    const Options options = {.dirty = &box};
    std::vector<float> fractions(out.size());
    std::vector<double> sums(out.size());
    const std::vector<std::int64_t> rings = {0, 3};
    EXPECT_THROW(coverage_samples({vertices}, 8, 9, 2, fractions, options), std::invalid_argument);
    EXPECT_THROW(add_coverage({vertices}, 8, 9, sums, options), std::invalid_argument);
    EXPECT_THROW(fill_labels<std::uint8_t>({vertices, rings}, {}, 8, 9, out, OnTop::last, options),
                 std::invalid_argument);
    box = {0, 9, 0, 9};
    EXPECT_THROW(fill_touched({vertices}, 8, 9, out, options), std::invalid_argument);
    EXPECT_THROW(coverage({vertices}, 8, 9, fractions, options), std::invalid_argument);
    EXPECT_EQ(out, Bytes(8 * 9, 0xee));
}

} // namespace polymask::test
