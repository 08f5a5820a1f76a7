#include "polymask/runs.hpp"

#include <algorithm>
#include <limits>

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "parallel/parallel_for.hpp"
#include "support/checks.hpp"
#include "support/processor.hpp"

namespace polymask
{

namespace
{

using namespace detail;

/* A single polygon in the form of many polygons. */
class One
{
  public:
    explicit One(const Polygon &polygon)
        : ring_offsets_(polygon.ring_starts.begin(), polygon.ring_starts.end()),
          vertices_(polygon.vertices)
    {
        detail::check(polygon);
        if (ring_offsets_.empty())
            ring_offsets_.push_back(0);
        ring_offsets_.push_back(static_cast<std::int64_t>(vertices_.size() / 2));
        polygon_offsets_[1] = static_cast<std::int64_t>(ring_offsets_.size()) - 1;
    }
    Polygons view() const noexcept { return {vertices_, ring_offsets_, polygon_offsets_}; }

  private:
    std::vector<std::int64_t> ring_offsets_;
    std::int64_t polygon_offsets_[2] = {0, 0};
    std::span<const double> vertices_;
};

template <class T>
void check(const RunArrays<T> &out, std::int64_t rows, std::int64_t cols, std::int64_t most)
{
    if (std::max(rows, cols) > std::int64_t{std::numeric_limits<T>::max()})
        refuse("shape: (" + std::to_string(rows) + ", " + std::to_string(cols) +
               ") exceeds the type of the runs");
    const std::size_t room = out.starts.size();
    if (out.rows.size() != room || out.stops.size() != room)
        refuse("out: expected three arrays of equal size, got " + std::to_string(out.rows.size()) +
               ", " + std::to_string(room) + " and " + std::to_string(out.stops.size()));
    if (room < static_cast<std::size_t>(most))
        throw TooSmall("out", most, room, "runs");
}

template <class T> class Writer
{
  public:
    Writer(const RunArrays<T> &out, std::int64_t first) noexcept
        : row_(out.rows.data() + first), start_(out.starts.data() + first),
          stop_(out.stops.data() + first), begin_(start_), first_(first)
    {
    }
    template <class Columns> void operator()(std::int64_t row, const Columns &boundaries) noexcept
    {
        const std::size_t count = boundaries.size() / 2;
        const auto *columns = boundaries.data();
        for (std::size_t i = 0; i < count; ++i) {
            row_[i] = static_cast<T>(row);
            start_[i] = static_cast<T>(columns[2 * i]);
            stop_[i] = static_cast<T>(columns[2 * i + 1]);
        }
        row_ += count;
        start_ += count;
        stop_ += count;
    }
    /* Returns the index of the next run. */
    std::int64_t place() const noexcept { return first_ + (start_ - begin_); }

  private:
    T *row_, *start_, *stop_, *begin_;
    std::int64_t first_;
};

template <class T> void move_down(std::span<T> values, Polygons::Range from, std::int64_t to)
{
    std::copy(values.begin() + from.first, values.begin() + from.end, values.begin() + to);
}

template <class T>
std::int64_t write_runs(const Polygons &polygons, const Sampling &sampling,
                        std::span<std::int64_t> ends, const RunArrays<T> &out, const Chunks &chunks,
                        const std::vector<std::int64_t> &places, const Kernels &kernels,
                        int threads)
{
    parallel_for(threads, chunks.count(), [&] {
        return [&, scanner = FeatureScanner(kernels)](std::int64_t index) mutable {
            Writer<T> writer(out, places[static_cast<std::size_t>(index)]);
            const auto [first, end] = chunks[index];
            for (std::int64_t feature = first; feature < end; ++feature) {
                scanner.scan(polygons, feature, sampling, writer);
                ends[static_cast<std::size_t>(feature)] = writer.place();
            }
        };
    });
    /* Chunks follow each other, separated by unused room. */
    std::int64_t next = 0;
    for (std::int64_t index = 0; index < chunks.count(); ++index) {
        const std::int64_t place = places[static_cast<std::size_t>(index)];
        const auto [first, end] = chunks[index];
        const Polygons::Range written = {place, ends[static_cast<std::size_t>(end) - 1]};
        if (place != next) {
            for (const std::span<T> values : {out.rows, out.starts, out.stops})
                move_down(values, written, next);
            for (std::int64_t feature = first; feature < end; ++feature)
                ends[static_cast<std::size_t>(feature)] -= place - next;
        }
        next += written.size();
    }
    return next;
}

/* Returns the start of the room for each chunk's runs, and the end of the last. */
std::vector<std::int64_t> places_of(const Polygons &polygons, const Sampling &sampling,
                                    const Chunks &chunks, const Kernels &kernels, int threads)
{
    std::vector<std::int64_t> places(static_cast<std::size_t>(chunks.count()) + 1);
    parallel_for(threads, chunks.count(), [&] {
        return [&, scanner = FeatureScanner(kernels)](std::int64_t index) mutable {
            std::int64_t most = 0;
            const auto [first, end] = chunks[index];
            for (std::int64_t feature = first; feature < end; ++feature)
                most += scanner.most_runs(polygons, feature, sampling);
            places[static_cast<std::size_t>(index) + 1] = most;
        };
    });
    for (std::size_t i = 1; i < places.size(); ++i)
        places[i] += places[i - 1];
    return places;
}

template <class T>
std::int64_t runs_of(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                     std::span<std::int64_t> ends, const RunArrays<T> &out, const Options &options)
{
    const ScopedRounding rounding;
    check_size("ends", ends.size(), polygons.features(), "numbers");
    const Kernels &kernels = choose_kernels(options.instruction_set);
    const Sampling sampling(rows, cols, options);
    const int threads = threads_for(polygons, options);
    const Chunks chunks(polygons.features(), threads);
    const auto places = places_of(polygons, sampling, chunks, kernels, threads);
    check(out, rows, cols, places.back());
    return write_runs(polygons, sampling, ends, out, chunks, places, kernels, threads);
}

/* Computes the sum of each feature: T{}, updated by add(sum, row, start, stop) for each run. */
template <class T, class Add>
void sum_runs(const Polygons &polygons, std::int64_t rows, std::int64_t cols, std::span<T> sums,
              const Options &options, Add add)
{
    const ScopedRounding rounding;
    const Kernels &kernels = choose_kernels(options.instruction_set);
    const Sampling sampling(rows, cols, options);
    const int threads = threads_for(polygons, options);
    const Chunks chunks(polygons.features(), threads);
    parallel_for(threads, chunks.count(), [&] {
        return [&, scanner = FeatureScanner(kernels)](std::int64_t index) mutable {
            const auto [first, end] = chunks[index];
            for (std::int64_t feature = first; feature < end; ++feature) {
                T sum{};
                scanner.scan(polygons, feature, sampling,
                             [&](std::int64_t row, const auto &boundaries) {
                                 for (std::size_t i = 0; i < boundaries.size(); i += 2)
                                     add(sum, row, std::int64_t{boundaries[i]},
                                         std::int64_t{boundaries[i + 1]});
                             });
                sums[static_cast<std::size_t>(feature)] = sum;
            }
        };
    });
}

} // namespace

std::int64_t most_runs(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                       const Options &options)
{
    const ScopedRounding rounding;
    check(polygons, rows, cols, options);
    const int threads = threads_for(polygons, options);
    return places_of(polygons, Sampling(rows, cols, options), Chunks(polygons.features(), threads),
                     choose_kernels(options.instruction_set), threads)
        .back();
}

std::int64_t most_runs(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                       const Options &options)
{
    return most_runs(One(polygon).view(), rows, cols, options);
}

template <class T>
std::int64_t polygon_runs(const Polygon &polygon, std::int64_t rows, std::int64_t cols,
                          const RunArrays<T> &out, const Options &options)
{
    const One one(polygon);
    check(one.view(), rows, cols, options);
    std::int64_t end;
    return runs_of(one.view(), rows, cols, {&end, 1}, out, options);
}

template <class T>
std::int64_t label_runs(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                        std::span<std::int64_t> ends, const RunArrays<T> &out,
                        const Options &options)
{
    check(polygons, rows, cols, options);
    return runs_of(polygons, rows, cols, ends, out, options);
}

template std::int64_t polygon_runs(const Polygon &, std::int64_t, std::int64_t,
                                   const RunArrays<std::int32_t> &, const Options &);
template std::int64_t polygon_runs(const Polygon &, std::int64_t, std::int64_t,
                                   const RunArrays<std::int64_t> &, const Options &);
template std::int64_t label_runs(const Polygons &, std::int64_t, std::int64_t,
                                 std::span<std::int64_t>, const RunArrays<std::int32_t> &,
                                 const Options &);
template std::int64_t label_runs(const Polygons &, std::int64_t, std::int64_t,
                                 std::span<std::int64_t>, const RunArrays<std::int64_t> &,
                                 const Options &);

void pixel_sums(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                std::span<PixelSums> sums, const Options &options)
{
    check(polygons, rows, cols, options);
    check_size("sums", sums.size(), polygons.features(), "elements");
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (rows * cols > 0 && rows * cols > most / std::max(rows, cols))
        refuse("shape: sums of (" + std::to_string(rows) + ", " + std::to_string(cols) +
               ") could exceed 63 bits");
    sum_runs(polygons, rows, cols, sums, options,
             [](PixelSums &sum, std::int64_t row, std::int64_t start, std::int64_t stop) {
                 const std::int64_t size = stop - start;
                 sum.pixels += size;
                 sum.rows += size * row;
                 sum.columns += size * (start + stop - 1) / 2;
             });
}

void pixel_counts(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                  std::span<std::int64_t> counts, const Options &options)
{
    check(polygons, rows, cols, options);
    check_size("counts", counts.size(), polygons.features(), "numbers");
    sum_runs(polygons, rows, cols, counts, options,
             [](std::int64_t &count, std::int64_t, std::int64_t start, std::int64_t stop) {
                 count += stop - start;
             });
}

void visit_runs(const Polygons &polygons, std::int64_t rows, std::int64_t cols, RunsVisitor visitor,
                void *context, const Options &options)
{
    const ScopedRounding rounding;
    check(polygons, rows, cols, options);
    const Sampling sampling(rows, cols, options);
    FeatureScanner scanner(choose_kernels(options.instruction_set));
    constexpr std::size_t at_once = 1024;
    std::vector<Run> runs;
    runs.reserve(at_once);
    for (std::int64_t feature = 0; feature < polygons.features(); ++feature) {
        scanner.scan(polygons, feature, sampling, [&](std::int64_t row, const auto &boundaries) {
            for (std::size_t i = 0; i < boundaries.size(); i += 2) {
                if (runs.size() == at_once) {
                    visitor(context, feature, runs);
                    runs.clear();
                }
                runs.push_back({row, boundaries[i], boundaries[i + 1]});
            }
        });
        if (!runs.empty()) {
            visitor(context, feature, runs);
            runs.clear();
        }
    }
}

} // namespace polymask
