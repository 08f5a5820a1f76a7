/* The first calls of a process, which make what later calls share: threads, and the list of
 * instruction sets. Each test runs them in processes that it forks. */

#include <gtest/gtest.h>

/* The thread sanitizer ends a forked process that starts threads. */
#if !defined(_WIN32) && !defined(__SANITIZE_THREAD__) && __has_include(<sys/wait.h>)
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <new>
#include <string>
#include <thread>

#include "features.hpp"
#include "no_memory.hpp"
#include "polymask/coco.hpp"
#include "polymask/coverage.hpp"
#include "polymask/crops.hpp"
#include "polymask/labels.hpp"
#include "polymask/polymask.h"
#include "polymask/summaries.hpp"
#include "polymask/touched.hpp"

namespace polymask::test
{

namespace
{

constexpr std::int64_t rows = 40, cols = 90;
constexpr auto pixels = static_cast<std::size_t>(rows * cols);

using Numbers = std::vector<double>;
using Call = std::function<Numbers(int threads)>;

template <class Container> Numbers numbers_of(const Container &container)
{
    return {container.begin(), container.end()};
}

/* The outcome of a child process: the status with which it exits. */
enum Outcome { not_failed, right, refused, wrong };

std::atomic<int> until_failure;
bool fails_from_then_on;

/* A call is right, or it throws std::bad_alloc, and the next one is right. */
Outcome outcome_of_child(const Call &call, int failing)
{
    until_failure = failing;
    on_allocation = [] {
        const int left = until_failure--;
        if (left == 0 || (left < 0 && fails_from_then_on))
            throw std::bad_alloc();
    };
    Numbers found;
    bool is_refused = false;
    try {
        found = call(3);
    } catch (const std::bad_alloc &) {
        is_refused = true;
    }
    on_allocation = nullptr;
    const Numbers wanted = call(1);
    if ((!is_refused && found != wanted) || call(3) != wanted)
        return wrong;
    return is_refused ? refused : until_failure < 0 ? right : not_failed;
}

void expect_no_crash(const std::string &name, const Call &call)
{
    for (const bool from_then_on : {false, true}) {
        fails_from_then_on = from_then_on;
        for (int failing = 0, outcome = right; outcome != not_failed; ++failing) {
            const pid_t child = fork();
            ASSERT_GE(child, 0);
            if (child == 0) {
                alarm(30);
                _exit(outcome_of_child(call, failing));
            }
            int status = -1;
            ASSERT_EQ(waitpid(child, &status, 0), child);
            ASSERT_TRUE(WIFEXITED(status)) << name << ", allocation " << failing << ": " << status;
            outcome = WEXITSTATUS(status);
            ASSERT_LT(outcome, wrong) << name << ", allocation " << failing;
            ASSERT_LT(failing, 1000);
        }
    }
}

} // namespace

TEST(FirstCalls, AnyAllocationMayFail)
{
    Random random(97);
    const auto vertices = polygon(random, Kind::reals, 40, rows, cols);
    const Features many = random_features(random, 9, rows, cols);
    const Numbers image(pixels, 3);
    const auto with = [](int threads) { return Options{.threads = threads}; };

    expect_no_crash("fill_mask", [&](int threads) {
        std::vector<std::uint8_t> out(pixels);
        fill_mask({vertices}, with(threads).grid(rows, cols), out, with(threads).rule(),
                  with(threads).output(), with(threads).work());
        return numbers_of(out);
    });
    expect_no_crash("polymask_fill_mask", [&](int threads) {
        std::vector<std::uint8_t> out(pixels);
        polymask_options options = {};
        options.size = sizeof options;
        options.threads = threads;
        if (const int status =
                polymask_fill_mask(vertices.data(), vertices.size() / 2, nullptr, 0, rows, cols,
                                   out.data(), out.size(), &options, nullptr);
            status == POLYMASK_OUT_OF_MEMORY)
            throw std::bad_alloc();
        else if (status != POLYMASK_DONE)
            return Numbers{};
        return numbers_of(out);
    });
    expect_no_crash("contains", [&](int threads) {
        std::vector<std::uint8_t> out(vertices.size() / 2);
        contains({vertices}, vertices, out, with(threads).rule(), with(threads).work());
        return numbers_of(out);
    });
    expect_no_crash("fill_labels", [&](int threads) {
        std::vector<std::int32_t> out(pixels);
        fill_labels<std::int32_t>(many.view(), with(threads).grid(rows, cols), {}, out,
                                  OnTop::smallest, with(threads).selection(),
                                  with(threads).output(), with(threads).work());
        return numbers_of(out);
    });
    expect_no_crash("column_counts", [&](int threads) {
        return numbers_of(column_counts(many.view(), with(threads).grid(rows, cols),
                                        with(threads).selection(), with(threads).work())
                              .counts);
    });
    expect_no_crash("coco_text", [&](int threads) {
        return numbers_of(coco_text(many.view(), with(threads).grid(rows, cols),
                                    with(threads).selection(), with(threads).work())
                              .text);
    });
    expect_no_crash("MaskCropper", [&](int threads) {
        const MaskCropper cropper(many.view(), with(threads).grid(rows, cols),
                                  with(threads).selection(), with(threads).work());
        std::vector<Box> boxes(static_cast<std::size_t>(many.view().features()));
        cropper.boxes(boxes);
        std::size_t size = 0;
        for (const Box &box : boxes)
            size += static_cast<std::size_t>(box.rows() * box.cols());
        std::vector<std::uint8_t> out(size);
        cropper.fill(0, boxes, out);
        return numbers_of(out);
    });
    expect_no_crash("Summaries", [&](int threads) {
        const std::vector<std::int64_t> features = {0, 1, 2, 3, 4, 5, 6, 7};
        const std::vector<std::uint8_t> is_last(features.size(), 1);
        Summaries<double> summaries(many.view(), {.median = true}, with(threads).selection(),
                                    with(threads).work());
        summaries.add({{rows, cols}}, {image}, features, is_last);
        Numbers sums;
        for (const auto &summary : summaries.all())
            sums.push_back(summary.pixels.sum);
        return sums;
    });
    expect_no_crash("coverage", [&](int) {
        std::vector<float> out(pixels);
        coverage({vertices}, {{rows, cols}}, out);
        return numbers_of(out);
    });
    expect_no_crash("fill_touched", [&](int) {
        std::vector<std::uint8_t> out(pixels);
        fill_touched({vertices}, {{rows, cols}}, out);
        return numbers_of(out);
    });
    expect_no_crash("mask_to_rings", [&](int) {
        const std::vector<std::uint8_t> mask(pixels, 1);
        return mask_to_rings({mask, {rows, cols}}).vertices;
    });
}

/* The first call stops in the middle of making the list, while another thread forks. */
TEST(FirstCalls, OfAForkedProcessDoNotWaitForThreadsThatItHasNot)
{
    static thread_local bool waits = false;
    static std::atomic<bool> is_waiting = false, is_forked = false;
    read_environment();
    on_allocation = [] {
        if (!waits)
            return;
        is_waiting = true;
        while (!is_forked)
            std::this_thread::yield();
    };
    std::thread caller([] {
        waits = true;
        static_cast<void>(active_instruction_set());
    });
    while (!is_waiting)
        std::this_thread::yield();
    const pid_t child = fork();
    if (child == 0) {
        alarm(10);
        static_cast<void>(active_instruction_set());
        _exit(0);
    }
    is_forked = true;
    caller.join();
    on_allocation = nullptr;
    ASSERT_GE(child, 0);
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << status;
}

} // namespace polymask::test

#endif
