/* Threads of the caller: an executor instead of the library's pool. */

#include <atomic>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "features.hpp"
#include "polymask/interruption.hpp"
#include "polymask/labels.hpp"
#include "polymask/runs.hpp"

namespace polymask::test
{

namespace
{

constexpr std::int64_t rows = 700, cols = 900;
constexpr int threads = 4;

using Tasks = std::vector<std::function<void()>>;

/* An executor, and what it must do after the calls. */
struct Host {
    const char *name;
    Executor executor;
    std::function<void()> finish = [] {};
};

std::vector<Host> hosts()
{
    const auto started = std::make_shared<std::vector<std::thread>>();
    const auto kept = std::make_shared<Tasks>();
    const auto count = std::make_shared<int>(0);
    const auto join = [started] {
        for (std::thread &thread : *started)
            thread.join();
        started->clear();
    };
    const auto start = [started](std::function<void()> task) { started->emplace_back(task); };
    return {
        {"std::thread", start, join},
        {"the calling thread", [](std::function<void()> task) { task(); }},
        {"every second one",
         [=](std::function<void()> task) {
             if (++*count % 2 == 0)
                 start(task);
         },
         join},
        {"none", [](std::function<void()>) {}},
        {"after the call", [kept](std::function<void()> task) { kept->push_back(task); },
         [kept] {
             for (const auto &task : *kept)
                 task(); /* its call has returned */
         }},
        {"one, then no more",
         [=](std::function<void()> task) {
             if (!started->empty())
                 throw std::system_error(
                     std::make_error_code(std::errc::resource_unavailable_try_again));
             start(task);
         },
         join},
    };
}

struct Results {
    Bytes mask, inside, labels;
    std::vector<std::int64_t> counts;
    bool operator==(const Results &) const = default;
};

Results results(const Work &work)
{
    Random random(5);
    const auto vertices = polygon(random, Kind::reals, 60, rows, cols);
    const Features features = random_features(random, 50, rows, cols);
    const std::vector<double> points(vertices.begin(), vertices.begin() + 60);
    Results all = {Bytes(rows * cols), Bytes(30), Bytes(rows * cols),
                   std::vector<std::int64_t>(50)};
    fill_mask({vertices}, {{rows, cols}}, all.mask, {}, {}, work);
    contains({vertices}, points, all.inside, {}, work);
    fill_labels<std::uint8_t>(features.view(), {{rows, cols}}, {}, all.labels, OnTop::last, {}, {},
                              work);
    pixel_counts(features.view(), {{rows, cols}}, all.counts, {}, work);
    return all;
}

} // namespace

TEST(Executor, ResultsDoNotDependOnIt)
{
    const Results wanted = results({.threads = 1});
    for (const Host &host : hosts()) {
        EXPECT_EQ(results({.threads = threads, .executor = host.executor}), wanted) << host.name;
        host.finish();
    }
}

TEST(Executor, GetsATaskForEachThreadButTheCallingOne)
{
    const std::vector<double> triangle = {1, 1, 890, 5, 40, 690};
    Bytes mask(rows * cols);
    for (const int number : {1, 2, threads}) {
        int tasks = 0;
        fill_mask({triangle}, {{rows, cols}}, mask, {}, {},
                  {.threads = number, .executor = [&](auto) { ++tasks; }});
        EXPECT_EQ(tasks, most_threads(number) - 1);
        EXPECT_EQ(mask, filled({triangle}, rows, cols));
    }
}

TEST(Executor, ItsTasksRunInItsThreads)
{
    const std::vector<double> triangle = {1, 1, 890, 5, 40, 690};
    Bytes mask(rows * cols);
    std::atomic<int> begun{0};
    std::thread thread;
    fill_mask({triangle}, {{rows, cols}}, mask, {}, {},
              {.threads = 2, .executor = [&](std::function<void()> task) {
                   thread = std::thread([&begun, task] {
                       ++begun;
                       task();
                   });
                   while (begun == 0)
                       std::this_thread::yield();
               }});
    thread.join();
    EXPECT_EQ(mask, filled({triangle}, rows, cols));
}

TEST(Executor, AnyOtherExceptionStopsTheCall)
{
    const std::vector<double> triangle = {1, 1, 890, 5, 40, 690};
    Bytes mask(rows * cols);
    const Work work = {.threads = threads, .executor = [](auto) { throw 7; }};
    EXPECT_THROW(fill_mask({triangle}, {{rows, cols}}, mask, {}, {}, work), int);
    EXPECT_EQ(try_fill_mask({triangle}, {{rows, cols}}, mask, {}, {}, work).status, Status::failed);
}

TEST(Executor, IsInterruptedAsThePoolIs)
{
    Random random(5);
    const auto vertices = polygon(random, Kind::reals, 2000, rows, cols);
    std::vector<double> points(1 << 20, 300.5);
    Bytes inside(points.size() / 2);
    for (const Host &host : hosts()) {
        std::thread::id asked_in;
        std::pair<std::thread::id *, int> context = {&asked_in, 0};
        const Interruption interruption(
            [](void *pointer) noexcept {
                auto &[thread, count] = *static_cast<std::pair<std::thread::id *, int> *>(pointer);
                *thread = std::this_thread::get_id();
                return ++count == 2;
            },
            &context, std::chrono::milliseconds(1));
        EXPECT_THROW(contains({vertices}, points, inside, {},
                              {.threads = threads, .executor = host.executor}),
                     Interrupted)
            << host.name;
        EXPECT_EQ(asked_in, std::this_thread::get_id());
        host.finish();
    }
}

} // namespace polymask::test
