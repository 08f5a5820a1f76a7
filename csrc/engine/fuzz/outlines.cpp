/* Filled outlines equal the image from which they were traced. */

#include <array>
#include <set>

#include "references.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

/* The first ring of a polygon is its outer ring, the others are holes, and no ring touches itself.
 */
void require_simple(const Outlines &outlines)
{
    for (std::size_t p = 0; p + 1 < outlines.polygon_offsets.size(); ++p)
        for (auto r = static_cast<std::size_t>(outlines.polygon_offsets[p]);
             r < static_cast<std::size_t>(outlines.polygon_offsets[p + 1]); ++r) {
            std::set<std::array<double, 2>> places;
            for (auto i = static_cast<std::size_t>(outlines.ring_offsets[r]);
                 i < static_cast<std::size_t>(outlines.ring_offsets[r + 1]); ++i)
                require(
                    places.insert({outlines.vertices[2 * i], outlines.vertices[2 * i + 1]}).second,
                    "ring ", r, " comes to a place twice");
        }
}

template <class T> void check(Input &input)
{
    const std::int64_t rows = input.integer(0, 24), cols = input.integer(0, 150);
    const std::int64_t stride = cols + input.integer(0, 5);
    const OutlineOptions options = {input.flag() ? Connectivity::corners : Connectivity::sides,
                                    input.flag(), offset(input, rows, 51), offset(input, cols, 51)};
    const T values[] = {0, 1, 2, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()};
    const bool is_mask = input.flag(), has_background = is_mask || input.flag();
    /* A byte is a run of pixels with one value; after the last byte, the pixels above repeat. */
    std::vector<T> image(static_cast<std::size_t>(rows * stride));
    for (std::size_t i = 0; i < image.size();) {
        const std::uint8_t run = input.byte();
        const bool over = input.empty();
        for (int left = run % 32; left >= 0 && i < image.size(); --left, ++i)
            image[i] = over && i >= static_cast<std::size_t>(stride)
                           ? image[i - static_cast<std::size_t>(stride)]
                           : values[run / 32 % std::size(values)];
    }
    /* NOLINTNEXTLINE(bugprone-signed-char-misuse,cert-str34-c): it is a number, not a letter */
    const std::int64_t background = static_cast<std::int64_t>(values[input.byte() % 2]);
    const LabelImage view = {image, {rows, cols}, stride};
    const Outlines outlines =
        is_mask ? mask_to_rings(view, options)
                : labels_to_rings(view, has_background ? std::optional(background) : std::nullopt,
                                  options);
    require_simple(outlines);

    Options fill;
    fill.center = options.center;
    fill.row_offset = options.row_offset;
    fill.column_offset = options.column_offset;
    std::vector<int> covered(static_cast<std::size_t>(rows * cols));
    for (std::size_t p = 0; p < outlines.labels.size(); ++p) {
        const auto mask = test::mask_of_rings(
            outlines, static_cast<std::size_t>(outlines.polygon_offsets[p]),
            static_cast<std::size_t>(outlines.polygon_offsets[p + 1]), rows, cols, fill);
        for (std::size_t i = 0; i < mask.size(); ++i) {
            if (mask[i] == 0)
                continue;
            ++covered[i];
            const T pixel =
                image[i / static_cast<std::size_t>(cols) * static_cast<std::size_t>(stride) +
                      i % static_cast<std::size_t>(cols)];
            require(is_mask ? pixel != 0 : pixel == static_cast<T>(outlines.labels[p]), "polygon ",
                    p, " covers a pixel of another label");
        }
    }
    for (std::int64_t i = 0; i < rows * cols; ++i) {
        const T pixel = image[static_cast<std::size_t>(i / cols * stride + i % cols)];
        const bool inside =
            is_mask ? pixel != 0 : !has_background || pixel != static_cast<T>(background);
        require(covered[static_cast<std::size_t>(i)] == int(inside), "row ", (i / cols),
                ", column ", (i % cols), " is covered by ", (covered[static_cast<std::size_t>(i)]),
                " polygons");
    }
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask::fuzz;
    Input input(data, size);
    constexpr void (*checks[])(Input &) = {
        check<std::uint8_t>, check<std::int32_t>, check<std::uint16_t>, check<std::uint64_t>,
        check<std::int8_t>,  check<std::int16_t>, check<std::uint32_t>, check<std::int64_t>};
    input.one_of(checks)(input);
    return 0;
}
