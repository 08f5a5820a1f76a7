/* Masks in boxes equal these parts of whole masks. */

#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include "polymask/crops.hpp"
#include "references.hpp"

namespace polymask::test
{

class CropsBySet : public testing::TestWithParam<InstructionSet>
{
};

TEST_P(CropsBySet, AreThePartsOfWholeMasks)
{
    Random random(71);
    for (int i = 0; i < 60; ++i) {
        const std::int64_t rows = random.integer(1, 40), cols = random.integer(1, 50);
        const Features features =
            random_features(random, random.integer(0, i % 4 == 0 ? 3 : 60),
                            static_cast<double>(rows), static_cast<double>(cols));
        const auto count = static_cast<std::size_t>(features.view().features());
        Options options = random_feature_options(random);
        options.instruction_set = GetParam();
        std::vector<Bytes> masks;
        std::vector<Box> wanted, anywhere;
        for (std::size_t f = 0; f < count; ++f) {
            masks.push_back(features.mask(static_cast<std::int64_t>(f), rows, cols, options));
            wanted.push_back(box_of_mask(masks.back(), rows, cols));
            const std::int64_t top = random.integer(0, rows), left = random.integer(0, cols);
            anywhere.push_back({top, random.integer(top, rows), left, random.integer(left, cols)});
        }
        const std::size_t first = count / 3; /* fill only some of them */
        const auto begin = static_cast<std::ptrdiff_t>(first);
        for (const int threads : {1, 2, 7}) {
            options.threads = threads;
            const MaskCropper cropper(features.view(), options.grid(rows, cols),
                                      options.selection(), options.work());
            std::vector<Box> boxes(count);
            cropper.boxes(boxes);
            EXPECT_EQ(boxes, wanted);
            const std::vector<Box> whole(count, Box{0, rows, 0, cols});
            for (const auto &all : {wanted, anywhere, whole}) {
                const std::vector<Box> some(all.begin() + begin, all.end());
                Bytes expected;
                for (std::size_t f = first; f < count; ++f)
                    append_crop(masks[f], cols, all[f], expected);
                Bytes out(expected.size(), 0xee);
                cropper.fill(begin, some, out);
                EXPECT_EQ(out, expected);
                options.out_is_zero = true;
                std::fill(out.begin(), out.end(), std::uint8_t{0});
                MaskCropper(features.view(), options.grid(rows, cols), options.selection(),
                            options.work())
                    .fill(begin, some, out);
                EXPECT_EQ(out, expected);
                options.out_is_zero = false;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Sets, CropsBySet, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &set) { return name(set.param); });

TEST(Crops, WhatIsRefused)
{
    const std::vector<double> triangle = {1, 1, 8, 1, 8, 8};
    const Offsets ring = {0, 3};
    const Polygons polygons = {triangle, ring};
    const auto refusal = [](auto call) -> std::string {
        try {
            call();
        } catch (const std::invalid_argument &error) {
            return error.what();
        }
        return "nothing refused";
    };
    EXPECT_EQ(refusal([&] { MaskCropper(polygons, {{-1, 9}}); }),
              "shape: rows and columns are at least 0, got (-1, 9)");
    const MaskCropper cropper(polygons, {{10, 12}});
    std::vector<Box> two(2, Box{0, 2, 0, 3});
    Bytes out(6, 9);
    EXPECT_EQ(refusal([&] { cropper.boxes(two); }), "boxes: expected 1 elements, got 2");
    EXPECT_EQ(refusal([&] { cropper.fill(0, two, out); }), "features: 2 from 0 on, of 1");
    EXPECT_EQ(refusal([&] { cropper.fill(-1, {}, out); }), "features: 0 from -1 on, of 1");
    EXPECT_EQ(refusal([&] { cropper.fill(INT64_MAX, two, out); }),
              "features: 2 from 9223372036854775807 on, of 1");
    const std::span<const Box> one = std::span(two).first(1);
    EXPECT_EQ(refusal([&] { cropper.fill(0, one, std::span(out).first(5)); }),
              "out: expected 6 bytes, got 5");
    for (const Box &bad :
         {Box{-1, 2, 0, 3}, Box{0, 11, 0, 3}, Box{0, 2, 0, 13}, Box{2, 0, 0, 3}, Box{0, 2, 3, 1}}) {
        two[0] = bad;
        EXPECT_NE(refusal([&] { cropper.fill(0, one, out); }).find("exceeds the image (10, 12)"),
                  std::string::npos);
    }
    const MaskCropper tall(polygons, {{12, 10}});
    two[0] = {0, 2, 0, 11};
    EXPECT_NE(refusal([&] { tall.fill(0, one, out); }).find("exceeds the image (12, 10)"),
              std::string::npos);
    EXPECT_EQ(out, Bytes(6, 9));
}

} // namespace polymask::test
