/* The positions of written bytes: all widths around a block, any alignment, nothing else. */

#include <cstring>

#include <gtest/gtest.h>

#include "kernels/kernels.hpp"
#include "polygons.hpp"

namespace polymask::test
{

class Output : public testing::TestWithParam<InstructionSet>
{
  protected:
    Options options() const
    {
        Options options;
        options.instruction_set = GetParam();
        return options;
    }
};

constexpr std::uint8_t guard = 0xa5;

/* A buffer of `size` bytes at any address, between guards. */
class Guarded
{
  public:
    Guarded(std::size_t size, std::size_t shift, std::uint8_t value)
        : buffer_(size + 256, guard), begin_(64 + shift), size_(size)
    {
        std::fill_n(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), size, value);
    }
    std::span<std::uint8_t> span() { return {buffer_.data() + begin_, size_}; }
    Bytes bytes() { return {span().begin(), span().end()}; }
    bool intact() const
    {
        for (std::size_t i = 0; i < buffer_.size(); ++i)
            if ((i < begin_ || i >= begin_ + size_) && buffer_[i] != guard)
                return false;
        return true;
    }

  private:
    Bytes buffer_;
    std::size_t begin_, size_;
};

TEST_P(Output, EveryWidthAtEveryAlignment)
{
    Random random(21);
    for (const std::int64_t base : {1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 2112, 4096}) {
        for (std::int64_t cols = std::max<std::int64_t>(base - 2, 1); cols <= base + 2; ++cols) {
            const std::int64_t rows = random.integer(1, 12);
            const auto vertices = polygon(random, Kind::reals, 9, static_cast<double>(rows),
                                          static_cast<double>(cols));
            const Bytes wanted = rule_mask({vertices}, rows, cols);
            const Bytes wanted_bits = packed(wanted, rows, cols);
            for (const Stores stores : {Stores::cached, Stores::prefetched, Stores::streaming}) {
                for (const bool zero : {false, true}) {
                    Options options = this->options();
                    options.stores = stores;
                    options.out_is_zero = zero;
                    options.threads = static_cast<int>(random.integer(1, 3));
                    const auto shift = static_cast<std::size_t>(random.integer(0, 66));
                    Guarded mask(wanted.size(), shift, zero ? 0 : 0xee);
                    fill_mask({vertices}, rows, cols, mask.span(), options);
                    ASSERT_EQ(difference(mask.bytes(), wanted, cols), "")
                        << rows << " x " << cols << ", " << name(stores) << ", zero " << zero
                        << ", shift " << shift;
                    ASSERT_TRUE(mask.intact()) << rows << " x " << cols << ", shift " << shift;

                    Guarded bits(wanted_bits.size(), shift, zero ? 0 : 0xee);
                    fill_packed({vertices}, rows, cols, bits.span(), options);
                    ASSERT_EQ(difference(bits.bytes(), wanted_bits, packed_row_bytes(cols)), "")
                        << "packed " << rows << " x " << cols << ", shift " << shift;
                    ASSERT_TRUE(bits.intact()) << "packed " << rows << " x " << cols;
                }
            }
        }
    }
}

TEST_P(Output, NothingInsideIsAllZero)
{
    const std::vector<double> outside = {-9, -9, -5, -9, -5, -2};
    EXPECT_EQ(filled({outside}, 33, 700, options()), Bytes(33 * 700, 0));
    EXPECT_EQ(filled_packed({outside}, 33, 700, options()),
              Bytes(static_cast<std::size_t>(33 * packed_row_bytes(700)), 0));
}

TEST_P(Output, EverythingInsideIsAllOnes)
{
    const std::vector<double> around = {-9, -9, 9999, -9, 9999, 9999, -9, 9999};
    for (const std::int64_t cols : {1, 63, 64, 65, 700, 3000})
        EXPECT_EQ(filled({around}, 33, cols, options()),
                  Bytes(static_cast<std::size_t>(33 * cols), 1));
}

TEST_P(Output, EmptyShapes)
{
    const std::vector<double> vertices = {0, 0, 9, 0, 9, 9};
    for (const auto &[rows, cols] : {std::pair{0, 5}, {5, 0}, {0, 0}})
        fill_mask({vertices}, rows, cols, {}, options());
    fill_packed({vertices}, 5, 0, {}, options());
}

TEST_P(Output, SameForAnyNumberOfThreads)
{
    Random random(22);
    const auto vertices = polygon(random, Kind::reals, 900, 1000, 1100);
    Options options = this->options();
    options.threads = 1;
    const Bytes wanted = filled({vertices}, 1000, 1100, options);
    for (options.threads = 2; options.threads <= 4; ++options.threads)
        EXPECT_EQ(difference(filled({vertices}, 1000, 1100, options), wanted, 1100), "");
    options.threads = 0;
    EXPECT_EQ(difference(filled({vertices}, 1000, 1100, options), wanted, 1100), "");
}

/* A store beside a run could overwrite a neighbour that another thread paints at the same time. */
TEST_P(Output, LabelsInRunsOfEveryLength)
{
    const detail::Kernels &kernels = detail::choose_kernels(GetParam());
    Random random(22);
    for (const std::int64_t size : {1, 2, 4, 8}) {
        std::uint8_t label[8];
        for (std::int64_t i = 0; i < 8; ++i)
            label[i] = static_cast<std::uint8_t>(i % size + 1);
        std::uint64_t bits;
        std::memcpy(&bits, label, sizeof bits);
        for (std::int64_t length = 0; length <= 200; ++length) {
            const std::int64_t rows = 3, pitch = size * random.integer(270, 300);
            std::int32_t starts[rows], stops[rows];
            Bytes wanted(static_cast<std::size_t>(rows * pitch), guard), out = wanted;
            for (std::int64_t row = 0; row < rows; ++row) {
                starts[row] = static_cast<std::int32_t>(random.integer(0, 66));
                stops[row] = starts[row] + static_cast<std::int32_t>(length);
                for (std::int64_t i = size * starts[row]; i < size * stops[row]; ++i)
                    wanted[static_cast<std::size_t>(row * pitch + i)] = label[i % size];
            }
            std::swap(starts[1], stops[1]);
            kernels.paint({out.data(), pitch, starts, stops, 1, rows}, bits,
                          static_cast<int>(size));
            ASSERT_EQ(out, wanted) << length << " of " << size << " bytes";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Output, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &tested) { return name(tested.param); });

} // namespace polymask::test
