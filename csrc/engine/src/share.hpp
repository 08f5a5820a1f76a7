/* Threads that share work. */
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <new>
#include <optional>

#include "helpers.hpp"
#include "polymask/interruption.hpp"

namespace polymask::detail
{

/* Calls worker(index) for each index below `count`, by whichever thread is free: indices differ in
 * work and threads in speed. The calling thread is one of them, its worker `own`; others make
 * theirs by make(). Those without memory for it, and those that the system has not, are done
 * without. What a worker throws stops all, and is thrown here. */
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
    std::exception_ptr thrown;
    std::mutex mutex;
    const auto work = [&](auto &worker) noexcept {
        try {
            for (std::int64_t index; (index = next.fetch_add(1)) < count;) {
                Interruption::stop_if_asked();
                worker(index);
            }
        } catch (...) {
            next = count;
            const std::lock_guard lock(mutex);
            if (!thrown)
                thrown = std::current_exception();
        }
    };
    auto help = [&]() noexcept {
        std::optional<Worker> worker;
        try {
            worker.emplace(make());
        } catch (const std::bad_alloc &) {
            return;
        }
        work(*worker);
    };
    {
        const Offer offer(
            static_cast<int>(std::min<std::int64_t>(threads, count) - 1),
            [](void *context) noexcept { (*static_cast<decltype(help) *>(context))(); }, &help);
        work(own);
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
