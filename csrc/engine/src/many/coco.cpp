#include "polymask/coco.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "kernels/kernels.hpp"
#include "many/features.hpp"
#include "parallel/parallel_for.hpp"
#include "support/processor.hpp"

namespace polymask
{

namespace
{

using namespace detail;

/* Converts a feature's runs, which arrive row by row, to counts down the columns.
 *
 * A column changes between inside and outside from one row to the next if exactly one of the two
 * rows has the column in a run. The boundaries of both rows, without equal pairs, therefore delimit
 * the columns that change; a counting sort puts these changes in the order of columns. */
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
        collect(polygons, feature);
        sort();
        return numbers_;
    }

  private:
    /* Columns first .. end - 1 change above this row. */
    struct Change {
        std::int64_t row, first, end;
    };

    void collect(const Polygons &polygons, std::int64_t feature)
    {
        changes_.clear();
        before_.clear();
        std::int64_t next_row = 0; /* the row below that of `before_` */
        scanner_.scan(polygons, feature, sampling_, [&](std::int64_t row, const auto &boundaries) {
            if (row != next_row) {
                add_changes(next_row, before_);
                before_.clear();
            }
            now_.assign(boundaries.begin(), boundaries.end());
            both_.clear();
            std::set_symmetric_difference(before_.begin(), before_.end(), now_.begin(), now_.end(),
                                          std::back_inserter(both_));
            add_changes(row, both_);
            std::swap(before_, now_);
            next_row = row + 1;
        });
        add_changes(next_row, before_);
    }

    void add_changes(std::int64_t row, const std::vector<std::int64_t> &boundaries)
    {
        for (std::size_t i = 0; i < boundaries.size(); i += 2)
            changes_.push_back({row, boundaries[i], boundaries[i + 1]});
    }

    void sort()
    {
        numbers_.clear();
        const std::int64_t rows = sampling_.window.rows, pixels = rows * sampling_.window.cols;
        std::int64_t left = sampling_.window.cols, right = 0;
        for (const Change &change : changes_) {
            left = std::min(left, change.first);
            right = std::max(right, change.end);
        }
        if (left < right) {
            const auto columns = static_cast<std::size_t>(right - left);
            places_.assign(columns + 1, 0);
            for (const Change &change : changes_) { /* differences, from column to column */
                ++places_[static_cast<std::size_t>(change.first - left)];
                --places_[static_cast<std::size_t>(change.end - left)];
            }
            std::inclusive_scan(places_.begin(), places_.end(), places_.begin());
            std::exclusive_scan(places_.begin(), places_.end(), places_.begin(), std::int64_t{0});
            numbers_.resize(static_cast<std::size_t>(places_[columns]));
            for (const Change &change : changes_) {
                std::int64_t *place = places_.data() + (change.first - left);
                std::int64_t turn = change.first * rows + change.row;
                for (std::int64_t c = change.first; c < change.end; ++c, turn += rows)
                    numbers_[static_cast<std::size_t>((*place++)++)] = turn;
            }
            join_columns(pixels);
        }
        numbers_.push_back(pixels);
        std::adjacent_difference(numbers_.begin(), numbers_.end(), numbers_.begin());
    }

    /* Removes changes where a run continues at the top of the next column, or ends the image. */
    void join_columns(std::int64_t pixels)
    {
        std::size_t kept = 0;
        for (const std::int64_t turn : numbers_) {
            if (kept > 0 && numbers_[kept - 1] == turn)
                --kept;
            else
                numbers_[kept++] = turn;
        }
        if (kept > 0 && numbers_[kept - 1] == pixels)
            --kept;
        numbers_.resize(kept);
    }

    FeatureScanner scanner_;
    Sampling sampling_;
    std::vector<std::int64_t> before_, now_, both_; /* boundaries */
    std::vector<Change> changes_;
    std::vector<std::int64_t> places_, numbers_;
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
Container joined(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                 std::vector<std::int64_t> &ends, const Options &options)
{
    const ScopedRounding rounding;
    check(polygons, rows, cols, options);
    const Kernels &kernels = choose_kernels(options.instruction_set);
    const Sampling sampling(rows, cols, options);
    const int threads = threads_for(polygons, options);
    const Chunks chunks(polygons.features(), threads);
    ends.resize(static_cast<std::size_t>(polygons.features()));
    std::vector<Container> parts(static_cast<std::size_t>(chunks.count()));
    parallel_for(threads, chunks.count(), [&] {
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

ColumnCounts column_counts(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                           const Options &options)
{
    ColumnCounts found;
    found.counts = joined<std::vector<std::int64_t>>(polygons, rows, cols, found.ends, options);
    return found;
}

CocoText coco_text(const Polygons &polygons, std::int64_t rows, std::int64_t cols,
                   const Options &options)
{
    CocoText found;
    found.text = joined<std::string>(polygons, rows, cols, found.ends, options);
    return found;
}

} // namespace polymask
