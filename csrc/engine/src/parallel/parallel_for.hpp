/* Loops with indices that are distributed to several threads. */
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

namespace polymask::inline POLYMASK_ABI::detail
{

struct ThreadPool;

/* Work that up to `helpers` threads of the pool may join while the task exists: each of them calls
 * help(context) once. If all are busy or the system has no more threads, none joins, so the thread
 * that creates the task must be able to do all of the work. */
class Task
{
  public:
    using Help = void (*)(void *context) noexcept;

    Task(int helpers, Help help, void *context) noexcept;
    /* Lets no more threads join, and waits for those that have joined. */
    ~Task();
    Task(const Task &) = delete;
    Task &operator=(const Task &) = delete;

    /* Lets no more threads join, waits up to 50 milliseconds for those that have joined, and
     * returns whether all have finished. */
    bool finishes_soon() noexcept;

  private:
    friend struct ThreadPool;
    const Help help_;
    void *const context_;
    int places_;      /* the number of threads that may still join */
    int working_ = 0; /* the number of threads that have joined and not finished */
    Task *next_ = nullptr;
    ThreadPool *pool_; /* null if no thread can help */
    std::condition_variable finished_;
};

/* Calls worker(index) for each index below `count`, in the next free thread, because indices differ
 * in work and threads in speed. The calling thread takes part with its worker `own`; others create
 * theirs by make(). Threads that lack memory for this, or cannot be started, are omitted. An
 * exception in a worker stops all threads, and is thrown in the calling thread.
 *
 * The caller's Interruption is called only in its own thread, also while it waits for the others,
 * which test in the same places whether to stop. */
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
        stops = true; /* last, because a helper that reads it also throws */
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
        const Interruption shared_stop(
            [](void *flag) noexcept { return static_cast<std::atomic<bool> *>(flag)->load(); },
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

/* The calling thread creates its worker as the others do, before any work begins. */
template <class Make> void parallel_for(int threads, std::int64_t count, Make make)
{
    parallel_for(threads, count, make(), make);
}

} // namespace polymask::inline POLYMASK_ABI::detail
