/* Rows of a larger array: the same mask, and nothing written between or around its rows. */

#include <gtest/gtest.h>

#include "features.hpp"
#include "polymask/coverage.hpp"
#include "polymask/labels.hpp"
#include "polymask/touched.hpp"

namespace polymask::test
{

namespace
{

/* An image within an array whose rows are `more` longer, from element `before` on. */
template <class T = std::uint8_t> struct Frame {
    static constexpr T untouched = 0xee;

    std::int64_t rows, row_size, stride, before;
    std::vector<T> array;

    Frame(std::int64_t count, std::int64_t size, std::int64_t more, std::int64_t first)
        : rows(count), row_size(size), stride(size + more), before(first),
          array(static_cast<std::size_t>(before + rows * stride + 64), untouched)
    {
    }
    std::span<T> view()
    {
        return std::span(array).subspan(static_cast<std::size_t>(before),
                                        static_cast<std::size_t>((rows - 1) * stride + row_size));
    }
    /* Returns the elements of the view, and resets them: then all elements must be untouched. */
    std::vector<T> taken()
    {
        std::vector<T> found;
        for (std::int64_t row = 0; row < rows; ++row)
            for (std::int64_t i = 0; i < row_size; ++i) {
                T &element = array[static_cast<std::size_t>(before + row * stride + i)];
                found.push_back(element);
                element = untouched;
            }
        return found;
    }
    bool is_untouched() const
    {
        return std::all_of(array.begin(), array.end(),
                           [](T element) { return element == untouched; });
    }
};

} // namespace

class RowStride : public testing::TestWithParam<std::tuple<InstructionSet, Stores>>
{
};

TEST_P(RowStride, EqualsTheMaskAndTouchesNothingElse)
{
    const auto [set, stores] = GetParam();
    Random random(17);
    for (int i = 0; i < 60; ++i) {
        /* narrow and wide ones, some with more rows than a band */
        const std::int64_t rows = random.integer(1, i % 3 == 0 ? 400 : 40);
        const std::int64_t cols = random.integer(1, i % 5 == 0 ? 3000 : 150);
        const Kind kind = all_kinds[static_cast<std::size_t>(i) % std::size(all_kinds)];
        const double size = random.one_in(3) ? 0.2 : 1; /* a small one is zeroed around */
        const auto vertices =
            polygon(random, kind, random.integer(3, 40), size * static_cast<double>(rows),
                    size * static_cast<double>(cols));
        Options options = random_options(random);
        options.instruction_set = set;
        options.stores = stores;
        options.threads = i % 3 + 1;
        const Bytes wanted = filled({vertices}, rows, cols, options);
        const std::int64_t more = random.integer(0, 70), before = random.integer(0, 64);

        Frame<> bytes(rows, cols, more, before);
        options.row_stride = bytes.stride;
        fill_mask({vertices}, options.grid(rows, cols), bytes.view(), options.rule(),
                  options.output(), options.work());
        ASSERT_EQ(difference(bytes.taken(), wanted, cols), "") << "mask " << i;
        ASSERT_TRUE(bytes.is_untouched()) << "mask " << i;

        Frame<> bits(rows, packed_row_bytes(cols), more, before);
        options.row_stride = bits.stride;
        fill_packed({vertices}, options.grid(rows, cols), bits.view(), options.rule(),
                    options.output(), options.work());
        ASSERT_EQ(bits.taken(), packed(wanted, rows, cols)) << "mask " << i;
        ASSERT_TRUE(bits.is_untouched()) << "mask " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Every, RowStride,
                         testing::Combine(testing::ValuesIn(available_instruction_sets()),
                                          testing::Values(Stores::cached, Stores::prefetched,
                                                          Stores::streaming)),
                         [](const auto &tested) {
                             return std::string(name(std::get<0>(tested.param))) + "_" +
                                    name(std::get<1>(tested.param));
                         });

TEST(RowStrideOf, FarOutWindows)
{
    const std::int64_t offset = std::int64_t{1} << 60;
    const auto far = static_cast<double>(offset);
    const std::vector<double> vertices = {far - 9000, far + 100, far + 9000, far, far, far + 9000};
    Options options;
    options.row_offset = options.column_offset = offset;
    const Bytes wanted = filled({vertices}, 9, 9, options);
    Frame<> frame(9, 9, 5, 3);
    options.row_stride = frame.stride;
    fill_mask({vertices}, options.grid(9, 9), frame.view(), options.rule(), options.output(),
              options.work());
    EXPECT_EQ(frame.taken(), wanted);
    EXPECT_TRUE(frame.is_untouched());
}

TEST(RowStrideOf, Labels)
{
    Random random(18);
    for (int i = 0; i < 20; ++i) {
        const std::int64_t rows = random.integer(1, 90), cols = random.integer(1, 90);
        const Features features =
            random_features(random, 9, static_cast<double>(rows), static_cast<double>(cols));
        Options options = random_options(random);
        options.threads = i % 2 + 1;
        Bytes wanted(static_cast<std::size_t>(rows * cols));
        fill_labels<std::uint8_t>(features.view(), options.grid(rows, cols), {}, wanted,
                                  OnTop::last, options.selection(), options.output(),
                                  options.work());
        Frame<> frame(rows, cols, random.integer(0, 20), random.integer(0, 20));
        options.row_stride = frame.stride;
        fill_labels<std::uint8_t>(features.view(), options.grid(rows, cols), {}, frame.view(),
                                  OnTop::last, options.selection(), options.output(),
                                  options.work());
        ASSERT_EQ(difference(frame.taken(), wanted, cols), "") << "image " << i;
        ASSERT_TRUE(frame.is_untouched()) << "image " << i;
    }
}

TEST(RowStrideOf, FractionsAndTouchedSquares)
{
    Random random(19);
    for (int i = 0; i < 40; ++i) {
        const std::int64_t rows = random.integer(1, 90), cols = random.integer(1, 90);
        const double size = random.one_in(3) ? 0.2 : 1; /* a small one is zeroed around */
        const auto vertices = polygon(random, Kind::reals, 9, size * static_cast<double>(rows),
                                      size * static_cast<double>(cols));
        const auto check = [&]<class T>(T start, auto fill) {
            std::vector<T> wanted(static_cast<std::size_t>(rows * cols), start);
            Frame<T> frame(rows, cols, random.integer(0, 20), random.integer(0, 20));
            for (std::int64_t row = 0; row < rows; ++row)
                std::fill_n(frame.array.begin() + frame.before + row * frame.stride, cols, start);
            fill(std::span<T>(wanted), Options{});
            fill(frame.view(), Options{.row_stride = frame.stride});
            ASSERT_EQ(frame.taken(), wanted) << "image " << i;
            ASSERT_TRUE(frame.is_untouched()) << "image " << i;
        };
        check(7.0f, [&](std::span<float> out, const Options &options) {
            coverage({vertices}, options.grid(rows, cols), out, options.output(),
                     options.instruction_set);
        });
        check(7.0f, [&](std::span<float> out, const Options &options) {
            coverage_samples({vertices}, options.grid(rows, cols), 3, out, options.row_stride,
                             options.instruction_set);
        });
        check(0.25, [&](std::span<double> out, const Options &options) {
            add_coverage({vertices}, options.grid(rows, cols), out, options.row_stride,
                         options.instruction_set);
        });
        check(std::uint8_t{7}, [&](std::span<std::uint8_t> out, const Options &options) {
            fill_touched({vertices}, options.grid(rows, cols), out, options.squares(),
                         options.output());
        });
    }
}

} // namespace polymask::test
