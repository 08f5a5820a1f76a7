/* Images of labels, painted in pieces or at once, equal those from masks painted one by one. */

#include "polymask/labels.hpp"
#include "references.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

/* Returns twice the area of a ring's vertices, exact for small integers. */
double twice_area(std::span<const double> ring)
{
    double twice = 0;
    for (std::size_t i = 0, last = ring.size() - 2; i < ring.size(); last = i, i += 2)
        twice += ring[last] * ring[i + 1] - ring[i] * ring[last + 1];
    return std::fabs(twice);
}

/* Returns the areas for OnTop::smallest; only for small integers, where the rounding is known. */
std::vector<double> areas(const test::Features &features)
{
    const Polygons polygons = features.view();
    std::vector<double> areas;
    for (std::int64_t f = 0; f < polygons.features(); ++f) {
        double sum = 0;
        const auto [first_polygon, end_polygon] = polygons.polygons_of(f);
        for (std::int64_t p = first_polygon; p < end_polygon; ++p) {
            const auto [first, end] = polygons.rings_of(p);
            double own = 0;
            for (std::int64_t r = first; r < end; ++r) {
                const auto [from, to] = polygons.vertices_of(r);
                const double one = twice_area(polygons.vertices.subspan(
                    2 * static_cast<std::size_t>(from), 2 * static_cast<std::size_t>(to - from)));
                own += r == first ? one : -one;
            }
            sum += own;
        }
        areas.push_back(sum);
    }
    return areas;
}

template <class T> void check(Input &input)
{
    const Area area = fuzz::area(input);
    const Options options = fuzz::feature_options(input, area);
    const auto on_top = static_cast<OnTop>(input.byte() % 3);
    Coordinates wanted;
    if (on_top == OnTop::smallest)
        wanted.most = 0x1p24;
    test::Features features = fuzz::features(input, area, wanted);
    if (on_top == OnTop::smallest)
        for (double &v : features.vertices)
            v = std::floor(v);
    const auto count = static_cast<std::size_t>(features.view().features());
    std::vector<T> labels;
    for (std::size_t f = 0; f < count; ++f)
        labels.push_back(static_cast<T>(static_cast<T>(input.byte()) / T{3}));
    const bool keeps = input.flag(), adds = input.flag();
    const auto background = static_cast<T>(input.byte());

    auto order = test::as_they_come(features);
    if (on_top == OnTop::first)
        std::reverse(order.begin(), order.end());
    if (on_top == OnTop::smallest) {
        const auto sizes = areas(features);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    }
    const std::vector<T> before(area.size(), T{77});
    const auto masks = test::masks_of(features, area.rows, area.cols, options);
    auto wanted_image = keeps ? before : std::vector<T>(area.size(), background);
    if (adds)
        for (const std::size_t f : order)
            for (std::size_t i = 0; i < wanted_image.size(); ++i) {
                if (masks[f][i] != 0)
                    wanted_image[i] = static_cast<T>(wanted_image[i] + labels[f]);
            }
    else
        wanted_image = test::painted(masks, order, labels, wanted_image);

    const LabelPainter painter(features.view(), options.grid(area.rows, area.cols), on_top,
                               options.selection(), options.output(), options.work());
    std::vector<T> image = before;
    const Labels<T> paint = {labels, background, keeps, adds};
    const std::int64_t cut = input.byte() % (painter.tiles() + 1);
    painter.paint<T>(paint, image, cut, painter.tiles());
    painter.paint<T>(paint, image, 0, cut);
    require(image == wanted_image, "labels and masks painted one by one, ", options);
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask::fuzz;
    Input input(data, size);
    constexpr void (*checks[])(Input &) = {
        check<std::uint8_t>, check<std::int32_t>, check<std::uint16_t>, check<std::uint64_t>,
        check<std::int8_t>,  check<std::int16_t>, check<std::uint32_t>, check<std::int64_t>,
        check<float>,        check<double>};
    input.one_of(checks)(input);
    return 0;
}
