/* Masks in boxes, and COCO's run lengths down the columns, equal those of whole masks. */

#include "polymask/crops.hpp"
#include "polymask/coco.hpp"
#include "references.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

using test::Bytes;

/* Returns the whole image, the box of the feature's pixels, or any other, perhaps empty. */
Box any_box(Input &input, const Area &area, const Box &of_pixels)
{
    switch (input.byte() % 4) {
    case 0:
        return {0, area.rows, 0, area.cols};
    case 1:
        return of_pixels;
    default:
        const std::int64_t top = input.integer(0, area.rows), left = input.integer(0, area.cols);
        return {top, input.integer(top, area.rows), left, input.integer(left, area.cols)};
    }
}

void check_crops(Input &input, const Polygons &polygons, const std::vector<Bytes> &masks,
                 const Area &area, const Options &options)
{
    const MaskCropper cropper(polygons, options.grid(area.rows, area.cols), options.selection(),
                              options.work());
    std::vector<Box> boxes(masks.size(), {-1, -1, -1, -1});
    cropper.boxes(boxes);
    for (std::size_t f = 0; f < masks.size(); ++f)
        require(boxes[f] == test::box_of_mask(masks[f], area.rows, area.cols),
                "box and mask of feature ", f, ", ", options);

    const auto first =
        static_cast<std::size_t>(input.integer(0, static_cast<std::int64_t>(masks.size())));
    std::vector<Box> some;
    Bytes wanted;
    for (std::size_t f = first; f < masks.size(); ++f) {
        some.push_back(any_box(input, area, boxes[f]));
        test::append_crop(masks[f], area.cols, some.back(), wanted);
    }
    Bytes found(wanted.size(), options.out_is_zero ? 0 : 0xee);
    cropper.fill(static_cast<std::int64_t>(first), some, found);
    require(found == wanted, "masks in boxes and whole ones, from feature ", first, " on, ",
            options);
}

void check_coco(const Polygons &polygons, const std::vector<Bytes> &masks, const Area &area,
                const Options &options)
{
    const ColumnCounts counts = column_counts(polygons, options.grid(area.rows, area.cols),
                                              options.selection(), options.work());
    const CocoText text = coco_text(polygons, options.grid(area.rows, area.cols),
                                    options.selection(), options.work());
    require(counts.ends.size() == masks.size() && text.ends.size() == masks.size(),
            "an end for each feature");
    std::int64_t first = 0, begin = 0;
    for (std::size_t f = 0; f < masks.size(); ++f) {
        const auto wanted = test::counts_of_mask(masks[f], area.rows, area.cols);
        const test::Counts own(counts.counts.begin() + first,
                               counts.counts.begin() + counts.ends[f]);
        require(own == wanted, "run lengths and mask of feature ", f, ", ", options);
        const std::string told(text.text.begin() + begin, text.text.begin() + text.ends[f]);
        require(test::counts_of_text(told) == wanted && counts_of_text(told) == wanted,
                "text and mask of feature ", f, ", ", options);
        require(runs_of_counts(wanted, {area.rows, area.cols}) ==
                    test::runs_of_mask(masks[f], area.rows, area.cols),
                "runs of the run lengths and of the mask of feature ", f, ", ", options);
        first = counts.ends[f];
        begin = text.ends[f];
    }
    require(first == static_cast<std::int64_t>(counts.counts.size()) &&
                begin == static_cast<std::int64_t>(text.text.size()),
            "nothing behind the last feature");
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask::fuzz;
    Input input(data, size);
    const Area area = polymask::fuzz::area(input);
    auto options = feature_options(input, area);
    options.out_is_zero = input.flag();
    const auto some = features(input, area);
    const auto masks = polymask::test::masks_of(some, area.rows, area.cols, options);
    check_coco(some.view(), masks, area, options);
    check_crops(input, some.view(), masks, area, options);
    return 0;
}
