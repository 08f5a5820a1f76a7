/* The functions for C give the same results as those for C++, reject the same input with the same
 * messages, and reject pointers, counts and options that C++ does not have. */

#include "c_calls.hpp"
#include "polymask/coverage.hpp"
#include "polymask/labels.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask;
    using namespace polymask::fuzz;
    Input input(data, size);
    const auto function = static_cast<Function>(input.byte() % 4);
    Area area = fuzz::area(input, function == Function::fractions ? 50 : 63);
    Options how = fuzz::options(input, area);
    how.out_is_zero = input.flag();
    how.row_stride = input.flag() ? area.cols + input.integer(0, 9) : 0;
    polymask_options wanted = test::for_c(how);
    wanted.on_top = input.byte() % 3;
    wanted.background = input.byte();
    wanted.keeps_background = input.flag();
    wanted.adds = input.flag();
    wanted.subpixels = input.one_in(4) ? input.byte() % 4 : 0;
    if (!input.one_in(16))
        wanted = known_to(function, wanted);
    const Given given(input, wanted);
    const polymask_options &options = given.fields();
    Arrays arrays(input);

    const std::int64_t rows = input.one_in(16) ? any_integer(input) : area.rows,
                       cols = input.one_in(16) ? any_integer(input) : area.cols;
    const bool is_small = rows >= 0 && cols >= 0 && (cols == 0 || rows <= 8192 / cols);
    std::size_t elements = static_cast<std::size_t>(input.integer(0, 300));
    if (is_small && !input.one_in(16)) {
        const std::int64_t pitch = options.row_stride >= cols && options.row_stride < cols + 99
                                       ? options.row_stride
                                       : cols;
        elements = static_cast<std::size_t>(rows > 0 && cols > 0 ? (rows - 1) * pitch + cols : 0);
    }
    const bool any_bits = input.one_in(4);
    const bool is_other = !same_fields(options, known_to(function, options));
    const bool is_refused = given.is_refused() || is_other || !has_enumerators(options);
    const Options cpp = for_cpp(is_refused ? polymask_options{} : options);

    test::Rings rings = fuzz::rings(input, area, {.any_bits = any_bits});
    if (input.one_in(16))
        rings.starts = any_offsets(input, static_cast<std::int64_t>(rings.vertices.size() / 2));
    if (input.one_in(16))
        rings.vertices.resize(2 * (input.byte() % 4));
    const auto call_polygon = [&](auto &&call) {
        const auto [vertices, vertex_count] =
            arrays.next(rings.vertices.data(), rings.vertices.size() / 2);
        const auto [starts, ring_count] = arrays.next(rings.starts.data(), rings.starts.size());
        return call(vertices, vertex_count, starts, ring_count);
    };
    const auto both = [&](const char *name, auto out, auto &&of_c, auto &&of_cpp) {
        call_both(name, input, is_refused, arrays, std::move(out), of_c, of_cpp);
    };
    switch (function) {
    case Function::mask:
        both(
            "polymask_fill_mask", test::Bytes(elements, cpp.out_is_zero ? 0 : 0xa5),
            [&](auto &out, char *error) {
                return call_polygon([&](auto... polygon) {
                    const auto [bytes, count] = arrays.next(out.data(), out.size());
                    return polymask_fill_mask(polygon..., rows, cols, bytes, count, given.pointer(),
                                              error);
                });
            },
            [&](auto &out) { fill_mask(rings.view(), rows, cols, out, cpp); });
        break;
    case Function::points: {
        const auto points = ring(input, area, {.any_bits = any_bits});
        both(
            "polymask_contains", test::Bytes(points.size() / 2, 0xa5),
            [&](auto &out, char *error) {
                return call_polygon([&](auto... polygon) {
                    const auto [pairs, count] = arrays.next(points.data(), out.size());
                    return polymask_contains(polygon..., pairs, count, out.data(), given.pointer(),
                                             error);
                });
            },
            [&](auto &out) { contains(rings.view(), points, out, cpp); });
        break;
    }
    case Function::labels: {
        const test::Features features = fuzz::features(input, area, {.any_bits = any_bits});
        const auto count = static_cast<std::size_t>(features.view().features());
        const bool has_labels = input.flag();
        std::vector<std::int32_t> labels;
        for (std::size_t f = input.one_in(16); has_labels && f < count; ++f)
            labels.push_back(input.raw<std::int32_t>());
        const Labels<std::int32_t> paint = {labels, options.background,
                                            options.keeps_background != 0, options.adds != 0};
        both(
            "polymask_fill_labels", std::vector<std::int32_t>(elements, cpp.out_is_zero ? 0 : 77),
            [&](auto &out, char *error) {
                const polymask_polygons polygons = polygons_for_c(input, arrays, features);
                const auto [numbers, label_count] = arrays.next(labels.data(), labels.size());
                const auto [pixels, pixel_count] = arrays.next(out.data(), out.size());
                return polymask_fill_labels(&polygons, numbers, label_count, rows, cols, pixels,
                                            pixel_count, given.pointer(), error);
            },
            [&](auto &out) {
                fill_labels<std::int32_t>(features.view(), paint, rows, cols, out,
                                          static_cast<OnTop>(options.on_top), cpp);
            });
        break;
    }
    default:
        both(
            "polymask_coverage", std::vector<float>(elements, cpp.out_is_zero ? 0.0f : -7.0f),
            [&](auto &out, char *error) {
                return call_polygon([&](auto... polygon) {
                    const auto [pixels, count] = arrays.next(out.data(), out.size());
                    return polymask_coverage(polygon..., rows, cols, pixels, count, given.pointer(),
                                             error);
                });
            },
            [&](auto &out) {
                if (options.subpixels == 0)
                    coverage(rings.view(), rows, cols, out, cpp);
                else
                    coverage_samples(rings.view(), rows, cols, options.subpixels, out, cpp);
            });
        break;
    }
    return 0;
}
