/* Tasks in the threads of an executor. */
#include <chrono>
#include <system_error>

#include "parallel/parallel_for.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

/* Decides which tasks may still begin, and counts those that have begun and not ended. */
struct ExecutorTask::Gate {
    std::mutex mutex;
    std::condition_variable finished;
    int working = 0;
    bool closed = false;

    void pass(Task::Help help, void *context) noexcept
    {
        {
            const std::lock_guard lock(mutex);
            if (closed) /* the call may have returned, and its context with it */
                return;
            ++working;
        }
        {
            const ScopedRounding rounding;
            help(context);
        }
        const std::lock_guard lock(mutex);
        if (--working == 0)
            finished.notify_one();
    }
};

void ExecutorTask::start(const Executor &executor, int helpers)
{
    try {
        gate_ = std::make_shared<Gate>();
        for (int i = 0; i < helpers; ++i)
            executor(
                [gate = gate_, help = help_, context = context_] { gate->pass(help, context); });
    } catch (const std::system_error &) { /* fewer threads */
    } catch (const std::bad_alloc &) {
    }
}

ExecutorTask::~ExecutorTask()
{
    if (!gate_)
        return;
    std::unique_lock lock(gate_->mutex);
    gate_->closed = true;
    gate_->finished.wait(lock, [&] { return gate_->working == 0; });
}

bool ExecutorTask::finishes_soon() noexcept
{
    if (!gate_)
        return true;
    std::unique_lock lock(gate_->mutex);
    gate_->closed = true;
    return gate_->finished.wait_until(lock, WaitClock::now() + patience,
                                      [&] { return gate_->working == 0; });
}

} // namespace polymask::inline POLYMASK_ABI::detail
