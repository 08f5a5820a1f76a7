/* The features of one call: their distribution to threads, and their runs, from several polygons
 * each, in windows of any size. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "coverage/touched.hpp"
#include "many/run_scanner.hpp"
#include "mask/window.hpp"
#include "polymask/interruption.hpp"
#include "polymask/polygons.hpp"
#include "polymask/runs.hpp"
#include "support/checks.hpp"
#include "support/environment.hpp"

namespace polymask::detail
{

/* Checks the arguments of a call with many polygons and a window. */
inline void check(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                  const Options &options)
{
    polymask::check(polygons);
    check_window(rows, cols, options.row_offset, options.column_offset);
    check_options(options);
    refuse_dirty(options);
    if (options.touched)
        check_near(rows, cols, options.row_offset, options.column_offset);
}

/* Ranges of features, several per thread. */
class Chunks
{
  public:
    Chunks(std::int64_t features, int threads) noexcept
        : features_(features),
          size_(threads == 1 ? std::max(features, std::int64_t{1})
                             : std::clamp<std::int64_t>(features / (16 * threads), 1, 4096))
    {
    }
    std::int64_t count() const noexcept { return (features_ + size_ - 1) / size_; }
    Polygons::Range operator[](std::int64_t index) const noexcept
    {
        return {index * size_, std::min((index + 1) * size_, features_)};
    }

  private:
    std::int64_t features_, size_;
};

/* Returns the number of threads: an edge has some rows, with a few nanoseconds each. */
inline int threads_for(const Polygons &polygons, const Options &options) noexcept
{
    return choose_threads(options.threads, static_cast<double>(polygons.vertices.size()) * 0.01);
}

/* The window of a call; `is_far_out` if its samples are not exact as doubles. */
struct Sampling {
    Window window;
    Rule rule;
    std::optional<Squares> touched;
    bool is_far_out;

    Sampling(std::int64_t rows, std::int64_t cols, const Options &options) noexcept
        : window{rows, cols, options.row_offset, options.column_offset, options.center ? 0.5 : 0},
          rule(rule_of(options)), touched(options.touched), is_far_out(window.is_far())
    {
    }
    /* A part of a sampling. */
    Sampling(const Sampling &whole, const Box &box) noexcept : Sampling(whole)
    {
        window.rows = box.rows();
        window.cols = box.cols();
        window.row_offset += box.top;
        window.column_offset += box.left;
    }

    /* Returns a box that contains any polygon of this extent. */
    Box box(const Extent &extent) const noexcept
    {
        return touched ? touched_box_of(extent, window) : box_in_any(extent, window);
    }
};

/* Joins the polygons of a feature by sorting their runs; a single polygon needs no sort. */
class FeatureScanner
{
  public:
    explicit FeatureScanner(const Kernels &kernels) noexcept : scanner_(kernels) {}

    /* Calls visit(row, boundaries) as RunScanner::scan does; boundaries is a span of Column or of
     * std::int64_t. Throws std::bad_alloc. */
    template <class Visit>
    void scan(const Polygons &polygons, std::int64_t feature, const Sampling &sampling,
              Visit &&visit)
    {
        stop_if_asked();
        const Window &window = sampling.window;
        if (window.rows == 0 || window.cols == 0)
            return;
        const auto [first, end] = polygons.polygons_of(feature);
        if (end - first == 1 && window.rows <= RunScanner::most &&
            window.cols <= RunScanner::most && !sampling.is_far_out) {
            scan_polygon(polygons, first, sampling, visit);
            return;
        }
        runs_.clear();
        for (std::int64_t polygon = first; polygon < end; ++polygon)
            collect(polygons, polygon, sampling);
        join();
        for (std::size_t i = 0; i < runs_.size();) {
            const std::int64_t row = runs_[i].row;
            for (boundaries_.clear(); i < runs_.size() && runs_[i].row == row; ++i)
                boundaries_.insert(boundaries_.end(), {runs_[i].start, runs_[i].stop});
            visit(row, std::span<const std::int64_t>(boundaries_));
        }
    }

    /* Returns an upper limit of the number of the feature's runs. */
    std::int64_t most_runs(const Polygons &polygons, std::int64_t feature,
                           const Sampling &sampling);

  private:
    /* Asks only occasionally, because asking takes as long as a small feature. */
    void stop_if_asked()
    {
        if (++scans_ % 64 == 0)
            Interruption::stop_if_asked();
    }

    /* For a window within RunScanner's limits. */
    template <class Visit>
    void scan_polygon(const Polygons &polygons, std::int64_t polygon, const Sampling &sampling,
                      Visit &&visit)
    {
        if (sampling.touched)
            toucher_.scan(polygons, polygon, sampling.window, *sampling.touched, visit);
        else
            scanner_.scan(polygons, polygon, sampling.window, sampling.rule, visit);
    }
    void collect(const Polygons &polygons, std::int64_t polygon, const Sampling &sampling);
    void collect_by_points(const Polygons &polygons, std::int64_t polygon,
                           const Sampling &sampling);
    void join();

    RunScanner scanner_;
    TouchScanner toucher_;
    std::vector<Run> runs_;
    std::vector<std::int64_t> boundaries_;
    unsigned scans_ = 0;
};

} // namespace polymask::detail
