#include "many/features.hpp"

#include "parallel/interrupt_poller.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

void FeatureScanner::collect(const Polygons &polygons, std::int64_t polygon,
                             const Sampling &sampling)
{
    const auto [first_ring, end_ring] = polygons.rings_of(polygon);
    if (first_ring == end_ring)
        return;
    const std::int64_t first = polygons.vertices_of(first_ring).first,
                       end = polygons.vertices_of(end_ring - 1).end;
    const Extent extent(polygons.vertices.subspan(2 * static_cast<std::size_t>(first),
                                                  2 * static_cast<std::size_t>(end - first)));
    if (sampling.is_far_out && !is_certain(extent)) {
        collect_by_points(polygons, polygon, sampling);
        return;
    }
    constexpr std::int64_t most = RunScanner::most;
    const Box box = sampling.box(extent);
    for (std::int64_t row = box.top; row < box.bottom; row += most) {
        for (std::int64_t column = box.left; column < box.right; column += most) {
            const Box part = {row, std::min(row + most, box.bottom), column,
                              std::min(column + most, box.right)};
            scan_polygon(polygons, polygon, Sampling(sampling, part),
                         [&](std::int64_t i, Boundaries boundaries) {
                             for (std::size_t k = 0; k < boundaries.size(); k += 2)
                                 runs_.push_back(
                                     {row + i, column + boundaries[k], column + boundaries[k + 1]});
                         });
        }
    }
}

/* For windows where neighbouring samples may be the same double. */
void FeatureScanner::collect_by_points(const Polygons &polygons, std::int64_t polygon,
                                       const Sampling &sampling)
{
    const auto [first_ring, end_ring] = polygons.rings_of(polygon);
    const std::int64_t first = polygons.vertices_of(first_ring).first,
                       end = polygons.vertices_of(end_ring - 1).end;
    std::vector<std::int64_t> ring_starts;
    for (std::int64_t ring = first_ring; ring < end_ring; ++ring)
        ring_starts.push_back(polygons.vertices_of(ring).first - first);
    const Polygon one = {polygons.vertices.subspan(2 * static_cast<std::size_t>(first),
                                                   2 * static_cast<std::size_t>(end - first)),
                         ring_starts};
    const Window &window = sampling.window;
    InterruptPoller poller;
    for (std::int64_t row = 0; row < window.rows; ++row) {
        bool before = false;
        for (std::int64_t column = 0; column < window.cols; ++column) {
            const double point[] = {static_cast<double>(column + window.column_offset) +
                                        window.half,
                                    static_cast<double>(row + window.row_offset) + window.half};
            std::uint8_t inside = 0;
            poller.count(end - first);
            contains_unchecked(one, point, 1, &inside, sampling.rule, {.threads = 1});
            if (inside != 0 && !before)
                runs_.push_back({row, column, column + 1});
            else if (inside != 0)
                ++runs_.back().stop;
            before = inside != 0;
        }
    }
}

/* Sorts the runs, and joins those that overlap or touch. */
void FeatureScanner::join()
{
    sort_interruptible(runs_.begin(), runs_.end(), [](const Run &a, const Run &b) {
        return a.row != b.row ? a.row < b.row : a.start < b.start;
    });
    std::size_t count = 0;
    for (const Run &run : runs_) {
        if (count > 0 && runs_[count - 1].row == run.row && run.start <= runs_[count - 1].stop)
            runs_[count - 1].stop = std::max(runs_[count - 1].stop, run.stop);
        else
            runs_[count++] = run;
    }
    runs_.resize(count);
}

std::int64_t FeatureScanner::most_runs(const Polygons &polygons, std::int64_t feature,
                                       const Sampling &sampling)
{
    const Window &window = sampling.window;
    if (window.rows == 0 || window.cols == 0)
        return 0;
    const auto [first, end] = polygons.polygons_of(feature);
    if (sampling.is_far_out || window.rows > RunScanner::most || window.cols > RunScanner::most) {
        std::int64_t count = 0; /* such windows are rare, so they may be scanned twice */
        scan(polygons, feature, sampling, [&](std::int64_t, const auto &boundaries) {
            count += static_cast<std::int64_t>(boundaries.size() / 2);
        });
        return count;
    }
    std::int64_t most = 0;
    for (std::int64_t polygon = first; polygon < end; ++polygon)
        most += sampling.touched ? toucher_.most_runs(polygons, polygon, window, *sampling.touched)
                                 : scanner_.most_runs(polygons, polygon, window, sampling.rule);
    return most;
}

} // namespace polymask::inline POLYMASK_ABI::detail
