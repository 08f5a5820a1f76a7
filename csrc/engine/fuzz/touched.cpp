/* Touched squares are those that an edge meets or the polygon contains, by exact signs. */

#include <algorithm>

#include "references.hpp"
#include "scenes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask;
    using namespace polymask::fuzz;
    Input input(data, size);
    Area area = fuzz::area(input, 50); /* fewer pixels, as exact signs take long */
    area.rows = std::min<std::int64_t>(area.rows, 12);
    area.cols = std::min<std::int64_t>(area.cols, area.cols > 1000 ? 70 : 30);
    const test::Rings rings = fuzz::rings(input, area, {.most_vertices = 12});
    Options options = {.row_offset = area.row_offset, .column_offset = area.column_offset};
    options.touched = input.flag() ? Squares::open : Squares::closed;
    options.center = input.flag();
    test::Bytes found(area.size(), 0xee);
    fill_touched(rings.view(), options.grid(area.rows, area.cols), found, options.squares(),
                 options.output());
    const std::string differs = test::difference(
        found, test::by_squares(rings.view(), area.rows, area.cols, options), area.cols);
    require(differs.empty(), "touched squares and their definition: ", differs);
    return 0;
}
