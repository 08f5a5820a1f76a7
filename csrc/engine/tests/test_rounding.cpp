/* A thread with another rounding mode, or that flushes small numbers to 0: the engine's results are
 * the same, and the modes of the thread are restored. */

#include <cfenv>
#include <cstring>
#include <functional>
#include <thread>

#include <gtest/gtest.h>

#include "features.hpp"
#include "polymask/coco.hpp"
#include "polymask/coverage.hpp"
#include "polymask/crops.hpp"
#include "polymask/labels.hpp"
#include "polymask/outlines.hpp"
#include "polymask/runs.hpp"
#include "polymask/statistics.hpp"
#include "support/processor.hpp"

namespace polymask::test
{

namespace
{

constexpr std::int64_t rows = 40, cols = 50, pixels = rows * cols;

/* The input of a call: many polygons, or the first of them. */
struct Question {
    Features features;
    Options options;

    std::vector<double> first() const
    {
        return {features.vertices.begin(), features.vertices.begin() + 2 * features.rings[1]};
    }
};

template <class T> Bytes bytes_of(const std::vector<T> &values)
{
    Bytes bytes(values.size() * sizeof(T));
    if (!bytes.empty())
        std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

struct Function {
    const char *name;
    std::function<Bytes(const Question &)> ask;
};

void PrintTo(const Function &function, std::ostream *out)
{
    *out << function.name;
}

Bytes all_runs(const Question &q)
{
    std::vector<std::int64_t> found;
    for_each_run(
        q.features.view(), q.options.grid(rows, cols),
        [&](std::int64_t feature, std::span<const Run> runs) {
            for (const Run &run : runs)
                found.insert(found.end(), {feature, run.row, run.start, run.stop});
        },
        q.options.selection(), q.options.instruction_set);
    return bytes_of(found);
}

/* Numbers with all digits, computed before a thread changes its rounding mode. */
const std::vector<double> thirds = [] {
    std::vector<double> made;
    for (std::int64_t i = 0; i < pixels; ++i)
        made.push_back(static_cast<double>(i % (2 * cols)) / 3);
    return made;
}();

Bytes points(const Question &q)
{
    std::vector<double> places;
    for (std::size_t i = 0; i < thirds.size(); ++i)
        places.insert(places.end(), {thirds[i], static_cast<double>(i / cols)});
    Bytes out(static_cast<std::size_t>(pixels));
    contains({q.first()}, places, out, q.options.rule(), {.threads = q.options.threads});
    return out;
}

Bytes fractions(const Question &q, int subpixels)
{
    std::vector<float> out(static_cast<std::size_t>(pixels));
    const std::vector<double> vertices = q.first();
    if (subpixels == 0)
        coverage({vertices}, {{rows, cols}}, out);
    else
        coverage_samples({vertices}, {{rows, cols}}, subpixels, out);
    return bytes_of(out);
}

Bytes touched(const Question &q)
{
    Bytes out(static_cast<std::size_t>(pixels));
    fill_touched({q.first()}, {{rows, cols}}, out);
    return out;
}

Bytes outlines(const Question &q)
{
    const Bytes mask = filled({q.first()}, rows, cols, q.options);
    return bytes_of(mask_to_rings({mask, {rows, cols}}).vertices);
}

Bytes labels(const Question &q)
{
    std::vector<std::int32_t> out(static_cast<std::size_t>(pixels));
    fill_labels<std::int32_t>(q.features.view(), q.options.grid(rows, cols), {}, out,
                              OnTop::smallest, q.options.selection(), q.options.output(),
                              q.options.work());
    return bytes_of(out);
}

Bytes crops(const Question &q)
{
    const MaskCropper cropper(q.features.view(), q.options.grid(rows, cols), q.options.selection(),
                              q.options.work());
    std::vector<Box> boxes(static_cast<std::size_t>(q.features.view().features()));
    cropper.boxes(boxes);
    std::vector<std::int64_t> ends;
    std::size_t size = 0;
    for (const Box &box : boxes) {
        ends.insert(ends.end(), {box.top, box.bottom, box.left, box.right});
        size += static_cast<std::size_t>(box.rows() * box.cols());
    }
    Bytes out(size), found = bytes_of(ends);
    cropper.fill(0, boxes, out);
    found.insert(found.end(), out.begin(), out.end());
    return found;
}

Bytes sums(const Question &q)
{
    std::vector<Statistics<double>> out(static_cast<std::size_t>(q.features.view().features()));
    statistics<double>(q.features.view(), q.options.grid(rows, cols), {thirds}, out,
                       q.options.selection(), q.options.work());
    std::vector<double> found;
    for (const auto &one : out)
        found.insert(found.end(), {static_cast<double>(one.count), one.sum});
    return bytes_of(found);
}

Bytes counts(const Question &q)
{
    std::vector<std::int64_t> out(static_cast<std::size_t>(q.features.view().features()));
    pixel_counts(q.features.view(), q.options.grid(rows, cols), out, q.options.selection(),
                 q.options.work());
    return bytes_of(out);
}

const Function functions[] = {
    {"mask", [](const Question &q) { return filled({q.first()}, rows, cols, q.options); }},
    {"packed", [](const Question &q) { return filled_packed({q.first()}, rows, cols, q.options); }},
    {"unchecked",
     [](const Question &q) {
         Bytes out(static_cast<std::size_t>(pixels));
         EXPECT_EQ(fill_mask_unchecked({q.first()}, q.options.grid(rows, cols), out.data(),
                                       q.options.rule(), q.options.output(), q.options.work()),
                   Status::ok);
         return out;
     }},
    {"points", points},
    {"coverage", [](const Question &q) { return fractions(q, 0); }},
    {"samples", [](const Question &q) { return fractions(q, 3); }},
    {"touched", touched},
    {"outlines", outlines},
    {"labels", labels},
    {"runs", all_runs},
    {"counts", counts},
    {"crops", crops},
    {"statistics", sums},
    {"coco", [](const Question &q) {
         const std::string text = coco_text(q.features.view(), q.options.grid(rows, cols),
                                            q.options.selection(), q.options.work())
                                      .text;
         return Bytes(text.begin(), text.end());
     }}};

/* Returns polygons whose crossings are on samples except for rounding, or anywhere. */
Question question(std::uint64_t seed)
{
    Random random(seed);
    Question made;
    made.options = random_options(random);
    for (const Kind kind :
         {Kind::through_samples, Kind::diagonals, Kind::reals, Kind::degenerate}) {
        made.features.add_ring(polygon(random, kind, 7, rows, cols));
        made.features.end_polygon();
        made.features.end_feature();
    }
    made.options.threads = random.one_in(2) ? 1 : 3;
    return made;
}

class RoundingOf : public testing::TestWithParam<Function>
{
};

TEST_P(RoundingOf, IsToNearestWhateverTheThreadDoes)
{
    constexpr std::uint64_t questions = 60;
    std::vector<Bytes> wanted;
    for (std::uint64_t seed = 0; seed < questions; ++seed)
        wanted.push_back(GetParam().ask(question(seed)));
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        for (std::uint64_t seed = 0; seed < questions; ++seed) {
            const Question asked = question(seed); /* drawn in the default mode */
            ASSERT_EQ(std::fesetround(mode), 0);
            const Bytes found = GetParam().ask(asked);
            EXPECT_EQ(std::fegetround(), mode);
            std::fesetround(FE_TONEAREST);
            EXPECT_EQ(found, wanted[seed]) << "mode " << mode << ", seed " << seed;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, RoundingOf, testing::ValuesIn(functions),
                         [](const auto &found) { return found.param.name; });

/* Calls in other threads do not matter either: tests/library/test_races.py runs this under the
 * thread sanitizer, which detects races. */
class CallersOf : public testing::TestWithParam<Function>
{
};

TEST_P(CallersOf, ManyAtOnceDoNotMeet)
{
    constexpr std::uint64_t questions = 8;
    const auto asked = [](std::uint64_t seed, int threads) {
        Question made = question(seed);
        made.options.threads = threads;
        return GetParam().ask(made);
    };
    std::vector<Bytes> wanted;
    for (std::uint64_t seed = 0; seed < questions; ++seed)
        wanted.push_back(asked(seed, 1));
    std::vector<std::thread> callers;
    for (int caller = 0; caller < 6; ++caller)
        callers.emplace_back([&, caller] {
            for (std::uint64_t seed = 0; seed < questions; ++seed)
                EXPECT_EQ(asked(seed, (caller + static_cast<int>(seed)) % 4), wanted[seed]);
        });
    for (std::thread &caller : callers)
        caller.join();
}

INSTANTIATE_TEST_SUITE_P(All, CallersOf, testing::ValuesIn(functions),
                         [](const auto &found) { return found.param.name; });

#if defined(__SSE2__) || defined(_M_X64)

TEST(Rounding, SmallNumbersAreNotTakenForZero)
{
    constexpr unsigned flush = 0x8040; /* flushes results and operands */
    constexpr double smallest = std::numeric_limits<double>::denorm_min();
    const std::vector<double> left = {-smallest, -1, -smallest, 1, -5, 1, -5, -1};
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | flush);
    Bytes of_point(1);
    contains({left}, std::vector<double>{0, 0}, of_point);
    const Bytes mask = filled({left}, 1, 1);
    const unsigned after = _mm_getcsr();
    _mm_setcsr(before);
    EXPECT_EQ(mask, Bytes{0});
    EXPECT_EQ(of_point, Bytes{0});
    EXPECT_EQ(after & flush, flush);
}

#endif

} // namespace

} // namespace polymask::test
