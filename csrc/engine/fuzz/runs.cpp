/* Runs, and the sums of pixels computed from them, equal those of the masks. */

#include "references.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

template <class T> struct Written {
    std::vector<T> rows, starts, stops;
    explicit Written(std::int64_t most)
        : rows(static_cast<std::size_t>(most)), starts(rows), stops(rows)
    {
    }
    RunArrays<T> view() { return {rows, starts, stops}; }
};

template <class T>
void check_polygon(const test::Rings &rings, const Area &area, const Options &options)
{
    const test::Runs wanted = test::runs_of_mask(
        test::rule_mask(rings.view(), area.rows, area.cols, options), area.rows, area.cols);
    Written<T> out(most_runs(rings.view(), options.grid(area.rows, area.cols), options.selection(),
                             options.instruction_set));
    const std::int64_t count =
        polygon_runs<T>(rings.view(), options.grid(area.rows, area.cols), out.view(),
                        options.selection(), options.instruction_set);
    require(test::as_runs(out.view(), 0, count) == wanted, "a polygon's runs and its mask, ",
            options);
}

template <class T>
void check_features(const test::Features &features, const Area &area, const Options &options)
{
    const Polygons polygons = features.view();
    const auto count = static_cast<std::size_t>(polygons.features());
    Written<T> out(most_runs(polygons, options.grid(area.rows, area.cols), options.selection(),
                             options.work()));
    std::vector<std::int64_t> ends(count);
    label_runs<T>(polygons, options.grid(area.rows, area.cols), ends, out.view(),
                  options.selection(), options.work());
    std::vector<PixelSums> sums(count);
    pixel_sums(polygons, options.grid(area.rows, area.cols), sums, options.selection(),
               options.work());
    std::vector<std::int64_t> counts(count);
    pixel_counts(polygons, options.grid(area.rows, area.cols), counts, options.selection(),
                 options.work());
    std::vector<test::Runs> visited(count);
    for_each_run(
        polygons, options.grid(area.rows, area.cols),
        [&](std::int64_t feature, std::span<const Run> runs) {
            auto &all = visited[static_cast<std::size_t>(feature)];
            all.insert(all.end(), runs.begin(), runs.end());
        },
        options.selection(), options.instruction_set);
    for (std::size_t f = 0; f < count; ++f) {

        const test::Runs wanted = test::runs_of_mask(
            features.mask(static_cast<std::int64_t>(f), area.rows, area.cols, options), area.rows,
            area.cols);
        require(test::as_runs(out.view(), f == 0 ? 0 : ends[f - 1], ends[f]) == wanted,
                "runs and mask of feature ", f, ", ", options);
        require(visited[f] == wanted, "visited runs and mask of feature ", f, ", ", options);
        PixelSums by_hand;
        for (const Run &run : wanted)
            for (std::int64_t column = run.start; column < run.stop; ++column) {
                by_hand.pixels += 1;
                by_hand.rows += run.row;
                by_hand.columns += column;
            }
        require(counts[f] == by_hand.pixels, "count of pixels and mask of feature ", f, ", ",
                options);
        require(sums[f] == by_hand, "sums of pixels and mask of feature ", f, ", ", options);
    }
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask::fuzz;
    Input input(data, size);
    const Area area = polymask::fuzz::area(input);
    const bool narrow = input.flag(), many = input.flag();
    if (many) {
        const auto options = feature_options(input, area);
        const auto some = features(input, area);
        (narrow ? check_features<std::int32_t> : check_features<std::int64_t>)(some, area, options);
    } else {
        const auto options = polymask::fuzz::options(input, area);
        const auto one = rings(input, area);
        (narrow ? check_polygon<std::int32_t> : check_polygon<std::int64_t>)(one, area, options);
    }
    return 0;
}
