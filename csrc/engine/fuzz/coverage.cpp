/* Fractions are 0 to 1, and the same for all windows and instruction sets; they equal the clipped
 * area for triangles, and the finer mask for samples. */

#include "polymask/coverage.hpp"
#include "references.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

std::vector<float> covered(const Polygon &polygon, const Area &area, Options options,
                           int subpixels = 0)
{
    options.row_offset = area.row_offset;
    options.column_offset = area.column_offset;
    std::vector<float> out(area.size(), options.out_is_zero ? 0.0f : -7.0f);
    if (subpixels == 0)
        coverage(polygon, options.grid(area.rows, area.cols), out, options.output(),
                 options.instruction_set);
    else
        coverage_samples(polygon, options.grid(area.rows, area.cols), subpixels, out,
                         options.row_stride, options.instruction_set);
    for (const float one : out)
        require(one >= 0 && one <= 1, "a fraction is ", one);
    return out;
}

void check_windows(Input &input, const Polygon &polygon, const Area &area, Options options)
{
    const auto whole = covered(polygon, area, options);
    for (const InstructionSet set : available_instruction_sets()) {
        options.instruction_set = set;
        options.out_is_zero = !options.out_is_zero;
        require(covered(polygon, area, options) == whole, "the whole and that of ", name(set));
    }
    if (area.size() == 0)
        return;
    const std::int64_t top = input.byte() % area.rows, left = input.byte() % area.cols;
    const Area part = {1 + input.byte() % (area.rows - top), 1 + input.byte() % (area.cols - left),
                       area.row_offset + top, area.column_offset + left};
    const auto window = covered(polygon, part, options);
    for (std::int64_t y = 0; y < part.rows; ++y)
        for (std::int64_t x = 0; x < part.cols; ++x)
            require(window[static_cast<std::size_t>(y * part.cols + x)] ==
                        whole[static_cast<std::size_t>((top + y) * area.cols + left + x)],
                    "a window and the whole, at row ", (top + y), ", column ", (left + x));
}

/* Checks a triangle, in which each square is exact, as it cannot cross itself. */
void check_triangle(Input &input, const Area &area, const Options &options)
{
    Coordinates wanted;
    wanted.most = 0x1p20;
    wanted.most_vertices = 3;
    const auto triangle = ring(input, area, wanted);
    const auto found = covered({triangle}, area, options);
    auto moved = triangle;
    for (std::size_t i = 0; i < moved.size(); i += 2) /* exact enough in long double, see below */
        moved[i] -= static_cast<double>(area.column_offset),
            moved[i + 1] -= static_cast<double>(area.row_offset);
    const auto areas =
        test::signed_areas(moved, area.rows, area.cols, options.center ? 0.0L : 0.5L);
    double sum = 0, wanted_sum = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto one = static_cast<double>(std::fabs(areas[i]));
        require(std::fabs(static_cast<double>(found[i]) - one) <= 0x1p-24, "a triangle's fraction ",
                (found[i]), " and its clipped area ", (one));
        sum += static_cast<double>(found[i]);
        wanted_sum += one;
    }
    require(std::fabs(sum - wanted_sum) <= 0x1p-24 * static_cast<double>(found.size()),
            "the sum of fractions and the triangle's area");
}

void check_samples(Input &input, const Area &area, const Options &options)
{
    Coordinates wanted;
    wanted.most = 0x1p60;
    wanted.most_vertices = 8;
    auto rings = fuzz::rings(input, area, wanted);
    const std::int64_t n = input.integer(1, area.size() > 200 ? 3 : 8);
    const auto found = covered(rings.view(), area, options, static_cast<int>(n));
    for (double &v : rings.vertices)
        v *= static_cast<double>(n);
    const double before = options.center ? 0.5 : 0.5 - static_cast<double>(n) / 2;
    for (std::int64_t r = 0; r < area.rows; ++r)
        for (std::int64_t c = 0; c < area.cols; ++c) {
            int count = 0;
            for (std::int64_t i = 0; i < n * n; ++i)
                count +=
                    test::rule(rings.view(),
                               static_cast<double>(n * (c + area.column_offset) + i % n) + before,
                               static_cast<double>(n * (r + area.row_offset) + i / n) + before);
            require(found[static_cast<std::size_t>(r * area.cols + c)] ==
                        static_cast<float>(count) / static_cast<float>(n * n),
                    "samples and the finer mask, at row ", r, ", column ", (c));
        }
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask;
    using namespace polymask::fuzz;
    Input input(data, size);
    const int what = input.byte() % 3;
    Area area = fuzz::area(input, what == 0 ? 50 : what == 1 ? 12 : 40);
    Options options;
    options.center = input.flag();
    options.out_is_zero = input.flag();
    options.instruction_set = fuzz::instruction_set(input);
    if (what == 0) {
        const auto rings = fuzz::rings(input, area);
        check_windows(input, rings.view(), area, options);
    } else if (what == 1) {
        check_triangle(input, area, options);
    } else {
        check_samples(input, area, options);
    }
    return 0;
}
