/* Points at any place are inside if they are inside by the rule. */

#include "scenes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask;
    using namespace polymask::fuzz;
    Input input(data, size);
    const Area area = fuzz::area(input);
    const test::Rings rings = fuzz::rings(input, area);
    Options options;
    options.border = test::border_of(input.flag());
    options.watertight = input.flag();
    if (input.flag())
        options.border = Border::half_open;
    options.threads = input.one_in(32) ? 3 : 1;
    std::vector<double> points = rings.vertices; /* the vertices themselves, and others */
    while (!input.empty() && points.size() < 2000) {
        const auto more = ring(input, area);
        points.insert(points.end(), more.begin(), more.end());
    }
    test::Bytes found(points.size() / 2, 0xee);
    contains(rings.view(), points, found, options.rule(), options.work());
    for (std::size_t i = 0; i < found.size(); ++i)
        require(found[i] == test::rule(rings.view(), points[2 * i], points[2 * i + 1], options),
                "point ", i, " and rule");
    return 0;
}
