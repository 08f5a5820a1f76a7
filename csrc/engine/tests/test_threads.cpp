/* The threads of calls, and of processes. */

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

#include <gtest/gtest.h>

#include "polygons.hpp"
#include "support/environment.hpp"

/* The thread sanitizer ends a forked process that starts threads. */
#if !defined(_WIN32) && !defined(__SANITIZE_THREAD__) && __has_include(<sys/wait.h>)
#include <sys/wait.h>
#include <unistd.h>
#define POLYMASK_FORKS
#endif

namespace polymask::test
{

namespace
{

constexpr std::int64_t rows = 400, cols = 900;

std::vector<double> star()
{
    Random random(71);
    return polygon(random, Kind::reals, 300, rows, cols);
}

Options with_threads(int threads)
{
    Options options;
    options.threads = threads;
    return options;
}

} // namespace

TEST(Threads, AreAtMostFourForEachProcessor)
{
    const int most = 4 * std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
    const std::vector<double> triangle = {1, 1, 9, 1, 5, 1'900'000};
    for (const int requested : {100'000, 1 << 30}) {
        const Options options = with_threads(requested);
        EXPECT_EQ(choose({triangle}, options.grid(2'000'000, 10), options.output(), options.work())
                      .threads,
                  most_threads(requested));
        EXPECT_LE(most_threads(requested), most);
        EXPECT_EQ(filled({triangle}, 2'000'000, 10, options),
                  filled({triangle}, 2'000'000, 10, with_threads(1)));
    }
    EXPECT_EQ(most_threads(1), 1);
    EXPECT_EQ(most_threads(2), 2);
}

TEST(Threads, AreWithinTheQuotaOfTheContainerRoundedUp)
{
    const int all = detail::processors(std::numeric_limits<double>::infinity());
    EXPECT_GE(all, 1);
    EXPECT_EQ(detail::processors(0.1), 1);
    EXPECT_EQ(detail::processors(1.5), std::min(2, all));
    EXPECT_EQ(detail::processors(all + 0.5), all);
}

TEST(Threads, OfManyCallersAtOnceDoNotMeet)
{
    const auto vertices = star();
    const Bytes right = filled({vertices}, rows, cols, with_threads(1));
    std::vector<std::thread> callers;
    for (int i = 0; i < 8; ++i)
        callers.emplace_back([&, i] {
            for (int call = 0; call < 20; ++call)
                EXPECT_EQ(filled({vertices}, rows, cols, with_threads(1 + (i + call) % 5)), right);
        });
    for (std::thread &caller : callers)
        caller.join();
}

#ifdef POLYMASK_FORKS
TEST(Threads, AreStartedAnewInAForkedProcess)
{
    const auto vertices = star();
    const Bytes right = filled({vertices}, rows, cols, with_threads(3));
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        alarm(30); /* ends the process if it hangs */
        _exit(filled({vertices}, rows, cols, with_threads(3)) == right ? 0 : 3);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
}
#endif

} // namespace polymask::test
