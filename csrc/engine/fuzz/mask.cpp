/* Masks, packed or not, equal those of the rule with every instruction set. */

#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

using test::Bytes;

/* Returns a mask at any alignment and row stride; adjacent bytes must stay unchanged. */
Bytes filled_at(std::size_t shift, const Polygon &polygon, const Area &area, const Options &options,
                bool packed)
{
    const std::int64_t row = packed ? packed_row_bytes(area.cols) : area.cols,
                       pitch = options.row_stride != 0 ? options.row_stride : row;
    const auto size = static_cast<std::size_t>(area.rows > 0 ? (area.rows - 1) * pitch + row : 0);
    Bytes memory(shift + size + 64, 0xa5);
    const std::span<std::uint8_t> out = std::span(memory).subspan(shift, size);
    if (options.out_is_zero)
        std::fill(out.begin(), out.end(), std::uint8_t{0});
    const Bytes before = memory;
    (packed ? fill_packed : fill_mask)(polygon, options.grid(area.rows, area.cols), out,
                                       options.rule(), options.output(), options.work());
    Bytes mask;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(memory.size()); ++i) {
        const std::int64_t at = i - static_cast<std::int64_t>(shift);
        const auto byte = static_cast<std::size_t>(i);
        if (at >= 0 && at < static_cast<std::int64_t>(size) && at % pitch < row)
            mask.push_back(memory[byte]);
        else
            require(memory[byte] == before[byte], "a byte beside the mask was written, ", options);
    }
    return mask;
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask;
    using namespace polymask::fuzz;
    Input input(data, size);
    const Area area = fuzz::area(input);
    const test::Rings rings = fuzz::rings(input, area);
    Options options = fuzz::options(input, area);
    const std::size_t shift = input.byte() % 64;
    const std::int64_t between = input.flag() ? input.integer(0, 70) : -1; /* rows */

    const test::Bytes wanted = test::rule_mask(rings.view(), area.rows, area.cols, options);
    const test::Bytes wanted_bits = test::packed(wanted, area.rows, area.cols);
    for (const InstructionSet set : available_instruction_sets()) {
        options.instruction_set = set;
        for (const bool zero : {false, true}) {
            options.out_is_zero = zero;
            options.row_stride = between >= 0 ? area.cols + between : 0;
            const std::string mask = test::difference(
                filled_at(shift, rings.view(), area, options, false), wanted, area.cols);
            require(mask.empty(), "mask and rule: ", mask, ", ", options);
            options.row_stride = between >= 0 ? packed_row_bytes(area.cols) + between : 0;
            const std::string bits =
                test::difference(filled_at(shift, rings.view(), area, options, true), wanted_bits,
                                 packed_row_bytes(area.cols));
            require(bits.empty(), "packed mask and rule: ", bits, ", ", options);
        }
    }
    options.row_stride = 0; /* a box has no array */
    const Box box = bounding_box(rings.view(), options.grid(area.rows, area.cols));
    for (std::int64_t i = 0; i < area.rows * area.cols; ++i) {
        const std::int64_t row = i / area.cols, column = i % area.cols;
        require(
            wanted[static_cast<std::size_t>(i)] == 0 ||
                (row >= box.top && row < box.bottom && column >= box.left && column < box.right),
            "row ", row, ", column ", column, " is inside, and not in the bounding box");
    }
    return 0;
}
