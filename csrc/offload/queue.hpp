/* A queue of commands for one worker thread: the stream of the offload runtime's host engine.
 *
 * Commands run one after the other, in the order of their arrival. Each has a ticket with its state
 * and its times. An exception in a command is stored for the next sync, and the queue continues.
 */
#ifndef POLYMASK_OFFLOAD_QUEUE_HPP
#define POLYMASK_OFFLOAD_QUEUE_HPP

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <typeinfo>
#include <utility>
#include <vector>

namespace polymask::offload
{

constexpr std::size_t most_arguments = 32;

inline double now() /* seconds */
{
    const auto since = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration<double>(since).count();
}

/* The commands, shared by the queue, its worker, its tickets and all threads that wait for them. */
struct Lane {
    struct Times {
        double queued = 0, start = 0, end = 0;
    };
    struct Command {
        std::function<void()> work;
        std::shared_ptr<Times> times;
    };
    std::mutex mutex; /* unlocked before a notification, so that the woken thread need not wait */
    std::condition_variable arrived, finished; /* wake the worker, and threads that wait for it */
    std::deque<Command> waiting;
    std::uint64_t put = 0, done = 0;                         /* the numbers of commands so far */
    std::shared_ptr<Times> last = std::make_shared<Times>(); /* of the last command */
    bool ended = false;
    std::string error; /* of the first command that failed since the last sync */

    void run() /* in the worker thread */
    {
        std::unique_lock lock(mutex);
        while (true) {
            arrived.wait(lock, [this] { return ended || !waiting.empty(); });
            if (ended)
                return;
            Command command = std::move(waiting.front());
            waiting.pop_front();
            lock.unlock();
            std::string failure;
            command.times->start = now();
            try {
                command.work();
            } catch (const std::exception &thrown) {
                failure = thrown.what();
                if (failure.empty())
                    failure = std::string(typeid(thrown).name()) + ", without a message";
            } catch (...) {
                failure = "it threw an object that is not a std::exception";
            }
            command.times->end = now();
            lock.lock();
            if (error.empty())
                error = failure;
            done++;
            lock.unlock();
            finished.notify_all();
            lock.lock();
        }
    }

    /* Wait until that many commands are done, or the lane has ended; false after a timeout. */
    bool reached(std::uint64_t number, double seconds)
    {
        std::unique_lock lock(mutex);
        return finished.wait_for(lock, std::chrono::duration<double>(seconds),
                                 [&] { return ended || done >= number; });
    }
};

struct Ticket {
    std::shared_ptr<Lane> lane;
    std::shared_ptr<Lane::Times> times;
    std::uint64_t number = 0;

    bool done() const
    {
        const std::lock_guard lock(lane->mutex);
        return lane->ended || lane->done >= number;
    }
    bool wait(double seconds) const { return lane->reached(number, seconds); }
};

/* Call a kernel, whose parameters are all pointers. */
template <std::size_t... I>
void call(void *kernel, void *const *arguments, std::index_sequence<I...>)
{
    using Kernel = void (*)(decltype(static_cast<void>(I), static_cast<void *>(nullptr))...);
    const auto function = reinterpret_cast<Kernel>(kernel);
    function(arguments[I]...);
}

template <std::size_t... N> constexpr auto callers(std::index_sequence<N...>)
{
    using Caller = void (*)(void *, void *const *);
    return std::array<Caller, sizeof...(N)>{[](void *kernel, void *const *arguments) {
        call(kernel, arguments, std::make_index_sequence<N>{});
    }...};
}

class Queue
{
  public:
    Queue() : lane(std::make_shared<Lane>()), worker([lane = lane] { lane->run(); }) {}
    Queue(const Queue &) = delete;
    Queue &operator=(const Queue &) = delete;
    ~Queue() { end(); }

    Ticket put(std::function<void()> work)
    {
        auto times = std::make_shared<Lane::Times>();
        times->queued = now();
        Ticket ticket{lane, times};
        {
            const std::lock_guard lock(lane->mutex);
            lane->waiting.push_back({std::move(work), times});
            lane->last = std::move(times);
            ticket.number = ++lane->put;
        }
        lane->arrived.notify_one();
        return ticket;
    }

    Ticket copy(std::size_t destination, std::size_t source, std::size_t nbytes)
    {
        return put([=] {
            std::memcpy(reinterpret_cast<void *>(destination),
                        reinterpret_cast<const void *>(source), nbytes);
        });
    }

    Ticket call(std::size_t kernel, std::vector<std::size_t> arguments)
    {
        static constexpr auto by_count = callers(std::make_index_sequence<most_arguments + 1>{});
        return put([kernel, arguments = std::move(arguments)] {
            std::array<void *, most_arguments> pointers{};
            for (std::size_t i = 0; i < arguments.size(); i++)
                pointers[i] = reinterpret_cast<void *>(arguments[i]);
            by_count[arguments.size()](reinterpret_cast<void *>(kernel), pointers.data());
        });
    }

    /* The ticket of the command that came last: when it is done, all are. */
    Ticket mark()
    {
        const std::lock_guard lock(lane->mutex);
        return {lane, lane->last, lane->put};
    }

    /* Let later commands in this queue wait for a ticket of another queue. */
    Ticket wait(const Ticket &other)
    {
        return put([other] {
            while (!other.wait(3600)) {
            }
        });
    }

    /* Return the text of the first failure since the last call, or an empty string. */
    std::string failure()
    {
        const std::lock_guard lock(lane->mutex);
        return std::exchange(lane->error, {});
    }

    /* Finish the current command, and drop the waiting ones. */
    void end()
    {
        {
            const std::lock_guard lock(lane->mutex);
            lane->ended = true;
        }
        lane->arrived.notify_all();
        lane->finished.notify_all();
        if (worker.joinable())
            worker.join();
    }

  private:
    std::shared_ptr<Lane> lane;
    std::thread worker;
};

} // namespace polymask::offload

#endif
