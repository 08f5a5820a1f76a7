#include "parallel/parallel_for.hpp"

#include <atomic>
#include <deque>
#include <memory>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "support/processor.hpp"

#if __has_include(<pthread.h>) && !defined(_WIN32)
#include <pthread.h>
#define POLYMASK_FORKS
#endif

namespace polymask::inline POLYMASK_ABI::detail
{

/* Threads that sleep until there is a task. They start when they are first needed, and stay: to
 * start one takes 25 microseconds, to wake one 3. No call waits for threads that wake late. */
struct ThreadPool {
    std::mutex mutex; /* protects all members below, and tasks */
    std::condition_variable has_task;
    Task *first = nullptr; /* the list of tasks with free places, the oldest first */
    struct Helper {
        explicit Helper(ThreadPool &owner) : pool(owner) {}
        ThreadPool &pool;
        bool is_busy = false;
        std::thread thread;
    };
    std::deque<Helper> helpers; /* their addresses never change */
    bool ends = false;

    void post(Task &task) noexcept
    {
        {
            const std::lock_guard lock(mutex);
            if (ends || !start_helpers(task.places_)) {
                task.places_ = 0;
                return;
            }
            Task **end = &first;
            while (*end != nullptr)
                end = &(*end)->next_;
            *end = &task;
        }
        has_task.notify_one();
    }

    void wait_for(Task &task) noexcept
    {
        std::unique_lock lock(mutex);
        remove(task);
        task.finished_.wait(lock, [&] { return task.working_ == 0; });
    }

    bool wait_briefly_for(Task &task) noexcept
    {
        std::unique_lock lock(mutex);
        remove(task);
        return task.finished_.wait_until(lock, WaitClock::now() + patience,
                                         [&] { return task.working_ == 0; });
    }

    /* Busy threads are not joined: the process may end while a call in another thread still runs
     * for minutes, although its result is not needed. */
    void end() noexcept
    {
        std::unique_lock lock(mutex);
        ends = true; /* no task begins from now on */
        has_task.notify_all();
        for (Helper &helper : helpers) {
            if (helper.is_busy) {
                helper.thread.detach();
                continue;
            }
            lock.unlock();
            helper.thread.join();
            lock.lock();
        }
    }

  private:
    /* Tries to start threads up to this number; returns whether there is at least one. */
    bool start_helpers(int number) noexcept
    {
        try {
            /* With a plain function, because instances of std::thread's templates, and the types of
             * their arguments, are visible outside of a shared library. */
            while (helpers.size() < static_cast<std::size_t>(number)) {
                Helper &helper = helpers.emplace_back(*this);
                helper.thread = std::thread(&begin, static_cast<void *>(&helper));
            }
        } catch (const std::system_error &) { /* the system has no more threads: use fewer */
        } catch (const std::bad_alloc &) {
        }
        if (!helpers.empty() && !helpers.back().thread.joinable())
            helpers.pop_back();
        return !helpers.empty();
    }

    static void begin(void *helper) noexcept
    {
        const ScopedRounding rounding; /* independent of the thread that started this one */
        Helper &self = *static_cast<Helper *>(helper);
        self.pool.serve(self);
    }

    void serve(Helper &self) noexcept
    {
        std::unique_lock lock(mutex);
        while (true) {
            has_task.wait(lock, [&] { return ends || first != nullptr; });
            if (ends)
                return;
            Task &task = *first;
            if (--task.places_ == 0)
                remove(task);
            ++task.working_;
            self.is_busy = true;
            const bool has_more = first != nullptr;
            lock.unlock();
            for (int i = 0; has_more && i < 2; ++i) /* so that all wake up soon */
                has_task.notify_one();
            task.help_(task.context_);
            lock.lock();
            self.is_busy = false;
            if (--task.working_ == 0)
                task.finished_.notify_one(); /* under the lock: afterwards the task may not exist */
        }
    }

    void remove(const Task &task) noexcept
    {
        for (Task **at = &first; *at != nullptr; at = &(*at)->next_) {
            if (*at == &task) {
                *at = task.next_;
                return;
            }
        }
    }
};

namespace
{

std::atomic<ThreadPool *> pool = nullptr;

/* Returns the pool of the process, or null without memory for it. */
ThreadPool *process_pool() noexcept
try {
    ThreadPool *existing = pool;
    if (existing != nullptr)
        return existing;
    auto created = std::make_unique<ThreadPool>(); /* its constructor also allocates */
    if (pool.compare_exchange_strong(existing, created.get()))
        return created.release();
    return existing; /* another thread was faster */
} catch (const std::bad_alloc &) {
    return nullptr;
}

/* Exists from the loading of this code to its unloading, or to the end of the process. */
struct PoolLifetime {
#ifdef POLYMASK_FORKS
    /* fork copies memory, but only the thread that called it. The copied pool is abandoned, because
     * its lock may be held by a thread that does not exist. */
    PoolLifetime()
    {
        pthread_atfork(nullptr, nullptr, [] {
            left_behind = pool;
            pool = nullptr;
        });
    }
    /* Sleeping threads must not wake up in unloaded code. The pool is not deleted: another thread
     * may be about to post a task. (Windows ends the threads before this.) */
    ~PoolLifetime()
    {
        if (ThreadPool *const existing = pool)
            existing->end();
    }
    static inline ThreadPool *left_behind = nullptr; /* so that tools do not report a leak */
#endif
};
const PoolLifetime lifetime;

} // namespace

Task::Task(int helpers, Help help, void *context) noexcept
    : help_(help), context_(context), places_(helpers)
{
    pool_ = helpers > 0 ? process_pool() : nullptr;
    if (pool_ != nullptr)
        pool_->post(*this);
}

Task::~Task()
{
    if (pool_ != nullptr)
        pool_->wait_for(*this);
}

bool Task::finishes_soon() noexcept
{
    return pool_ == nullptr || pool_->wait_briefly_for(*this);
}

} // namespace polymask::inline POLYMASK_ABI::detail
