/* Loops whose indices several threads share. */
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <optional>

#include "polymask/interruption.hpp"

namespace polymask::detail
{

struct ThreadPool;

/* Work that at most `helpers` threads of the pool share while this lives: each that joins calls
 * help(context) once. Perhaps none joins, where all are busy or the system has no more threads, so
 * the thread that made the task has to be able to do all of it. */
class Task
{
  public:
    using Help = void (*)(void *context) noexcept;

    Task(int helpers, Help help, void *context) noexcept;
    /* No thread joins from now on; waits for those that have. */
    ~Task();
    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;

    /* No thread joins from now on; waits for those that have, for 50 milliseconds at most, and
     * returns whether all have finished. */
    bool finishes_soon() noexcept;

  private:
    friend struct ThreadPool;
    const Help help_;
    void *const context_;
    int places_;      /* how many more may join */
    int working_ = 0; /* how many have joined, and not finished */
    Task *next_ = nullptr;
    ThreadPool *pool_; /* none where nobody can help */
    std::condition_variable finished_;
};

/* Calls worker(index) for each index below `count`, by whichever thread is free: indices differ in
 * work and threads in speed. The calling thread is one of them, its worker `own`; others make
 * theirs by make(). Those without memory for it, and those that the system has not, are done
 * without. What a worker throws stops all, and is thrown here.
 *
 * The caller's Interruption is asked by its own thread alone, also while that waits for the others;
 * they ask in the same places whether all is to stop. */
template <class Worker, class Make>
void parallel_for(int threads, std::int64_t count, Worker own, Make make)
{
    if (threads <= 1 || count <= 1) {
        for (std::int64_t index = 0; index < count; ++index) {
            if (index > 0)
                Interruption::stop_if_asked();
            own(index);
        }
        return;
    }
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> stops{false};
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto stop = [&]() noexcept {
        {
            const std::lock_guard lock(mutex);
            if (!thrown)
                thrown = std::current_exception();
        }
        next = count;
        stops = true; /* last: a helper that hears of it throws, too */
    };
    const auto work = [&](auto &worker) noexcept {
        try {
            for (std::int64_t index; (index = next++) < count;) {
                Interruption::stop_if_asked();
                worker(index);
            }
        } catch (...) {
            stop();
        }
    };
    auto help = [&]() noexcept {
        std::optional<Worker> worker;
        try {
            worker.emplace(make());
        } catch (const std::bad_alloc &) {
            return;
        }
        const Interruption of_all(
            [](void *all) noexcept { return static_cast<std::atomic<bool> *>(all)->load(); },
            &stops);
        work(*worker);
    };
    {
        Task task(
            static_cast<int>(std::min<std::int64_t>(threads, count) - 1),
            [](void *context) noexcept { (*static_cast<decltype(help) *>(context))(); }, &help);
        work(own);
        while (!stops && !task.finishes_soon()) {
            try {
                Interruption::stop_if_asked();
            } catch (...) {
                stop();
            }
        }
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

/* The calling thread makes its worker as the others do, before any work is done. */
template <class Make> void parallel_for(int threads, std::int64_t count, Make make)
{
    parallel_for(threads, count, make(), make);
}

} // namespace polymask::detail
