#include "polymask/coco.hpp"

#include <numeric>
#include <utility>

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "many/transposer.hpp"
#include "parallel/parallel_for.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

using namespace detail;

/* Converts a feature's runs, which arrive row by row, to counts down the columns. */
class ColumnCounter
{
  public:
    ColumnCounter(const Kernels &kernels, const Sampling &sampling) noexcept
        : scanner_(kernels), sampling_(sampling)
    {
    }

    /* Returns the counts, which are valid until the next call. */
    const std::vector<std::int64_t> &count(const Polygons &polygons, std::int64_t feature)
    {
        const std::int64_t rows = sampling_.window.rows, pixels = rows * sampling_.window.cols;
        transposer_.clear();
        scanner_.scan(polygons, feature, sampling_, [&](std::int64_t row, const auto &boundaries) {
            transposer_.add(row, row + 1, boundaries);
        });
        std::vector<std::int64_t> &counts = transposer_.sorted(rows);
        join_columns(counts, pixels);
        counts.push_back(pixels);
        std::adjacent_difference(counts.begin(), counts.end(), counts.begin());
        return counts;
    }

  private:
    /* Removes changes where a run continues at the top of the next column, or ends the image. */
    static void join_columns(std::vector<std::int64_t> &turns, std::int64_t pixels)
    {
        std::size_t kept = 0;
        for (const std::int64_t turn : turns) {
            if (kept > 0 && turns[kept - 1] == turn)
                --kept;
            else
                turns[kept++] = turn;
        }
        if (kept > 0 && turns[kept - 1] == pixels)
            --kept;
        turns.resize(kept);
    }

    FeatureScanner scanner_;
    Sampling sampling_;
    Transposer transposer_;
};

/* From the fourth count on, the count two places earlier is subtracted. A number is split into
 * groups of five bits, lowest first; each becomes a character from 48 on, plus 32 if another
 * follows. */
void append(const std::vector<std::int64_t> &counts, std::string &text)
{
    for (std::size_t i = 0; i < counts.size(); ++i) {
        std::int64_t number = i > 2 ? counts[i] - counts[i - 2] : counts[i];
        bool follows = true;
        while (follows) {
            const std::int64_t five = number & 31;
            number >>= 5;
            follows = number != ((five & 16) != 0 ? -1 : 0);
            text.push_back(static_cast<char>(five + 48 + (follows ? 32 : 0)));
        }
    }
}

void append(const std::vector<std::int64_t> &counts, std::vector<std::int64_t> &all)
{
    all.insert(all.end(), counts.begin(), counts.end());
}

/* Joins the output of append for each feature, and sets `ends`. */
template <class Container>
Container joined(const Polygons &polygons, const Grid &grid, const Selection &selection,
                 const Work &work, std::vector<std::int64_t> &ends)
{
    const ScopedRounding rounding;
    check(polygons, grid, selection, work);
    const Kernels &kernels = choose_kernels(work.instruction_set);
    const Sampling sampling(grid, selection);
    const int threads = threads_for(polygons, work);
    const Chunks chunks(polygons.features(), threads);
    ends.resize(static_cast<std::size_t>(polygons.features()));
    std::vector<Container> parts(static_cast<std::size_t>(chunks.count()));
    parallel_for({threads, work.executor}, chunks.count(), [&] {
        return [&, counter = ColumnCounter(kernels, sampling)](std::int64_t index) mutable {
            Container &part = parts[static_cast<std::size_t>(index)];
            const auto [first, end] = chunks[index];
            for (std::int64_t feature = first; feature < end; ++feature) {
                append(counter.count(polygons, feature), part);
                ends[static_cast<std::size_t>(feature)] = static_cast<std::int64_t>(part.size());
            }
        };
    });
    if (parts.empty())
        return {};
    Container all = std::move(parts[0]);
    for (std::int64_t index = 1; index < chunks.count(); ++index) {
        const auto [first, end] = chunks[index];
        for (std::int64_t feature = first; feature < end; ++feature)
            ends[static_cast<std::size_t>(feature)] += static_cast<std::int64_t>(all.size());
        const Container &part = parts[static_cast<std::size_t>(index)];
        all.insert(all.end(), part.begin(), part.end());
    }
    return all;
}

} // namespace

ColumnCounts column_counts(const Polygons &polygons, const Grid &grid, const Selection &selection,
                           const Work &work)
{
    ColumnCounts found;
    found.counts = joined<std::vector<std::int64_t>>(polygons, grid, selection, work, found.ends);
    return found;
}

CocoText coco_text(const Polygons &polygons, const Grid &grid, const Selection &selection,
                   const Work &work)
{
    CocoText found;
    found.text = joined<std::string>(polygons, grid, selection, work, found.ends);
    return found;
}

} // namespace polymask::inline POLYMASK_ABI
