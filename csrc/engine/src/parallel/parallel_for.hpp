/* Loops with indices that are distributed to several threads. */
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <thread>

#include "polymask/interruption.hpp"
#include "polymask/options.hpp"

#if defined(__SANITIZE_THREAD__)
#define POLYMASK_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define POLYMASK_THREAD_SANITIZER
#endif
#endif

namespace polymask::inline POLYMASK_ABI::detail
{

struct ThreadPool;

/* The threads of a call: their maximum, and the executor of all but the calling one; if empty, the
 * pool. */
struct Team {
    int threads;
    const Executor &executor;
};

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

#if defined(POLYMASK_THREAD_SANITIZER)
using WaitClock = std::chrono::system_clock; /* the sanitizer does not know waits by steady_clock */
#else
using WaitClock = std::chrono::steady_clock; /* not affected by changes of the system time */
#endif
constexpr std::chrono::milliseconds patience{50}; /* between two polls for an interruption */

/* The same with the threads of an executor, which may even help in the calling thread. */
class ExecutorTask
{
  public:
    ExecutorTask(Task::Help help, void *context) noexcept : help_(help), context_(context) {}
    ~ExecutorTask();
    ExecutorTask(const ExecutorTask &) = delete;
    ExecutorTask &operator=(const ExecutorTask &) = delete;

    /* Throws what the executor throws, except a lack of threads or memory. */
    void start(const Executor &executor, int helpers);
    bool finishes_soon() noexcept;

  private:
    struct Gate;
    const Task::Help help_;
    void *const context_;
    std::shared_ptr<Gate> gate_; /* shared with tasks that may begin after the call */
};

/* Calls worker(index) for each index below `count`, in the next free thread, because indices differ
 * in work and threads in speed. The calling thread takes part with its worker `own`; others create
 * theirs by make(). Threads that lack memory for this, or cannot be started, are omitted. An
 * exception in a worker stops all threads, and is thrown in the calling thread.
 *
 * The caller's Interruption is called only in its own thread, also while it waits for the others,
 * which test in the same places whether to stop. */
template <class Worker, class Make>
void parallel_for(const Team &team, std::int64_t count, Worker own, Make make)
{
    if (team.threads <= 1 || count <= 1) {
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
    const std::thread::id caller = std::this_thread::get_id();
    auto help = [&]() noexcept {
        std::optional<Worker> worker;
        std::optional<Interruption> shared_stop;
        try {
            worker.emplace(make());
        } catch (const std::bad_alloc &) {
            return;
        }
        if (std::this_thread::get_id() != caller)
            shared_stop.emplace(
                [](void *flag) noexcept { return static_cast<std::atomic<bool> *>(flag)->load(); },
                &stops);
        work(*worker);
    };
    const Task::Help call_help = [](void *context) noexcept {
        (*static_cast<decltype(help) *>(context))();
    };
    const int helpers = static_cast<int>(std::min<std::int64_t>(team.threads, count) - 1);
    const auto work_with = [&](auto &task) {
        work(own);
        while (!stops && !task.finishes_soon()) {
            try {
                Interruption::stop_if_asked();
            } catch (...) {
                stop();
            }
        }
    };
    if (team.executor) {
        ExecutorTask task(call_help, &help);
        try {
            task.start(team.executor, helpers);
        } catch (...) {
            stop();
        }
        work_with(task);
    } else {
        Task task(helpers, call_help, &help);
        work_with(task);
    }
    if (thrown)
        std::rethrow_exception(thrown);
}

/* The calling thread creates its worker as the others do, before any work begins. */
template <class Make> void parallel_for(const Team &team, std::int64_t count, Make make)
{
    parallel_for(team, count, make(), make);
}

} // namespace polymask::inline POLYMASK_ABI::detail
