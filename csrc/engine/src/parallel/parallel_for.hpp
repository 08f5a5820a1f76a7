/* Threads that wait for work, and share it. */
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

struct Crew;

/* Work that is offered to at most `helpers` other threads while this lives: each that comes calls
 * help(context) once. Nobody may come: all are busy, or the system has no more threads, so the one
 * who offers has to be able to do it all. */
class Offer
{
  public:
    using Help = void (*)(void *context) noexcept;

    Offer(int helpers, Help help, void *context) noexcept;
    /* Who has not come yet does not; waits for those who have. */
    ~Offer();
    Offer(const Offer &) = delete;
    Offer &operator=(const Offer &) = delete;

    /* From now on nobody comes; waits for those who have, for 50 milliseconds at most, and returns
     * whether all have left. */
    bool is_over_soon() noexcept;

  private:
    friend struct Crew;
    const Help help_;
    void *const context_;
    int places_;     /* how many more may come */
    int inside_ = 0; /* how many are at it */
    Offer *next_ = nullptr;
    Crew *crew_; /* asked */
    std::condition_variable left_;
};

/* Calls worker(index) for each index below `count`, by whichever thread is free: indices differ in
 * work and threads in speed. The calling thread is one of them, its worker `own`; others make
 * theirs by make(). Those without memory for it, and those that the system has not, are done
 * without. What a worker throws stops all, and is thrown here.
 *
 * The caller's Interruption is asked by its own thread alone, also while that waits for the others;
 * they ask in the same places whether all is to stop. */
template <class Worker, class Make>
void share(int threads, std::int64_t count, Worker own, Make make)
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
        Offer offer(
            static_cast<int>(std::min<std::int64_t>(threads, count) - 1),
            [](void *context) noexcept { (*static_cast<decltype(help) *>(context))(); }, &help);
        work(own);
        while (!stops && !offer.is_over_soon()) {
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
template <class Make> void share(int threads, std::int64_t count, Make make)
{
    share(threads, count, make(), make);
}

} // namespace polymask::detail
