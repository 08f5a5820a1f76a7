/* Any input is either rejected by an exception, with nothing written, or gives a right result. */

#include <cstring>
#include <functional>
#include <stdexcept>
#include <utility>

#include "polymask/coverage.hpp"
#include "polymask/labels.hpp"
#include "references.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

using test::Bytes;

/* Returns whether the call was not rejected. */
bool accepted(const std::function<void()> &call)
{
    try {
        call();
        return true;
    } catch (const std::invalid_argument &error) {
        require(*error.what() != '\0' && std::strchr(error.what(), '\n') == nullptr,
                "a refusal says why, in one line");
    } catch (const std::runtime_error &) { /* an unavailable instruction set */
    }
    return false;
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask;
    using namespace polymask::fuzz;
    Input input(data, size);
    const int what = input.byte() % 8;
    const std::int64_t rows = any_integer(input), cols = any_integer(input);
    const Area near = {10, 12, 0, 0};
    auto vertices = ring(input, near, {.any_bits = true});
    if (input.one_in(8))
        vertices.push_back(1); /* an odd number */
    if (input.one_in(8))
        vertices.resize(input.byte() % 5);
    const auto count = static_cast<std::int64_t>(vertices.size() / 2);
    const auto starts = any_offsets(input, count);
    Options options;
    options.border = test::border_of(input.flag());
    options.center = input.flag();
    options.row_offset = input.flag() ? any_integer(input) : 0;
    options.column_offset = input.flag() ? any_integer(input) : 0;
    options.threads = static_cast<int>(input.flag() ? input.integer(-2, 9) : 1);
    options.instruction_set =
        input.one_in(8) ? static_cast<InstructionSet>(input.byte()) : InstructionSet::automatic;
    /* The right size if it is small, and sometimes a wrong one. */
    const std::int64_t most = 4096;
    std::size_t elements = static_cast<std::size_t>(input.integer(0, 300));
    const bool is_small = rows >= 0 && cols >= 0 && (cols == 0 || rows <= most / cols);
    if (is_small && !input.one_in(4))
        elements = static_cast<std::size_t>(rows * (what == 1 ? packed_row_bytes(cols) : cols));
    const Bytes untouched(elements, 0xa5);
    Bytes out = untouched;
    const Polygon polygon = {vertices, starts};
    std::vector<float> floats(elements, -7.0f);
    bool done = false, is_right = true;
    switch (what) {
    case 0:
        done = accepted([&] {
            fill_mask(polygon, options.grid(rows, cols), out, options.rule(), options.output(),
                      options.work());
        });
        is_right = !done || out == test::rule_mask(polygon, rows, cols, options);
        break;
    case 1:
        done = accepted([&] {
            fill_packed(polygon, options.grid(rows, cols), out, options.rule(), options.output(),
                        options.work());
        });
        is_right =
            !done || out == test::packed(test::rule_mask(polygon, rows, cols, options), rows, cols);
        break;
    case 2: {
        const auto points = ring(input, near, {.any_bits = true});
        done = accepted([&] { contains(polygon, points, out, options.rule(), options.work()); });
        for (std::size_t i = 0; done && i < out.size(); ++i)
            is_right &= out[i] == test::rule(polygon, points[2 * i], points[2 * i + 1], options);
        break;
    }
    case 3:
        done = accepted([&] {
            coverage(polygon, options.grid(rows, cols), floats, options.output(),
                     options.instruction_set);
        });
        break;
    case 4:
        done = accepted([&] {
            coverage_samples(polygon, options.grid(rows, cols),
                             static_cast<int>(input.integer(-1, 40)), floats, options.row_stride,
                             options.instruction_set);
        });
        break;
    case 5:
        done = accepted([&] {
            fill_touched(polygon, options.grid(rows, cols), out, options.squares(),
                         options.output());
        });
        is_right = !done || out == test::by_squares(polygon, rows, cols, options);
        break;
    case 6: { /* many polygons, with arbitrary offsets */
        const auto polygon_offsets = any_offsets(input, 6), feature_offsets = any_offsets(input, 6);
        const Polygons ragged = {vertices, starts, polygon_offsets, feature_offsets};
        const std::size_t features =
            input.one_in(8) ? input.byte() : static_cast<std::size_t>(ragged.features());
        std::vector<std::uint8_t> labels(features, 9);
        done = accepted([&] {
            fill_labels<std::uint8_t>(ragged, options.grid(rows, cols), {labels}, out, OnTop::last,
                                      options.selection(), options.output(), options.work());
        });
        /* without labels, features are numbered */
        const auto is_label = [&](std::uint8_t one) {
            return labels.empty() ? std::cmp_less_equal(one, ragged.features()) : one == 9;
        };
        for (const std::uint8_t one : out)
            is_right &= !done || one == 0 || is_label(one);
        if (accepted([&] { check(ragged); })) {
            std::vector<PixelSums> sums(static_cast<std::size_t>(ragged.features()));
            if (is_small)
                accepted([&] {
                    pixel_sums(ragged, options.grid(rows, cols), sums, options.selection(),
                               options.work());
                });
        }
        break;
    }
    default: {
        const int bytes = static_cast<int>(input.integer(0, 9));
        const LabelImage image(out.data(), out.size() / static_cast<std::size_t>(bytes ? bytes : 1),
                               bytes, input.flag(), {rows, cols}, any_integer(input));
        const OutlineOptions where = {Connectivity::sides, options.center, options.row_offset,
                                      options.column_offset};
        accepted([&] { static_cast<void>(trace_labels(image, options.threads, where)); });
        break;
    }
    }
    require(is_right, "an accepted call is right: call ", what);
    require(done || out == untouched, "what was refused is not written: call ", what);
    require(done || floats == std::vector<float>(elements, -7.0f),
            "what was refused is not written: call ", what);
    return 0;
}
