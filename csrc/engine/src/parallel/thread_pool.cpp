#include "parallel/parallel_for.hpp"

#include <atomic>
#include <chrono>
#include <deque>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>

#include "support/processor.hpp"

#if __has_include(<pthread.h>) && !defined(_WIN32)
#include <pthread.h>
#define POLYMASK_FORKS
#endif

#if defined(__SANITIZE_THREAD__)
#define POLYMASK_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define POLYMASK_THREAD_SANITIZER
#endif
#endif

namespace polymask::detail
{

/* Threads that sleep until there is an offer. They are started when they are first asked for, and
 * stay: to start one takes 25 microseconds, to wake one 3. Nobody waits for one that wakes late. */
struct Crew {
    std::mutex mutex; /* of all below, and of offers */
    std::condition_variable offered;
    Offer *first = nullptr; /* of the offers that have places left, the oldest first */
    struct Helper {
        explicit Helper(Crew &of) : crew(of) {}
        Crew &crew;
        bool is_busy = false;
        std::thread thread;
    };
    std::deque<Helper> helpers; /* each stays where it is */
    bool ends = false;

    void offer(Offer &made) noexcept
    {
        {
            const std::lock_guard lock(mutex);
            if (ends || !hire(made.places_)) {
                made.places_ = 0;
                return;
            }
            Offer **end = &first;
            while (*end != nullptr)
                end = &(*end)->next_;
            *end = &made;
        }
        offered.notify_one();
    }

    void withdraw(Offer &made) noexcept
    {
        std::unique_lock lock(mutex);
        remove(made);
        made.left_.wait(lock, [&] { return made.inside_ == 0; });
    }

    bool is_over_soon(Offer &made) noexcept
    {
        std::unique_lock lock(mutex);
        remove(made);
        return made.left_.wait_until(lock, Clock::now() + patience,
                                     [&] { return made.inside_ == 0; });
    }

    /* Who is at work is left alone: the process may end while another thread's call goes on, for
     * minutes, and nobody wants its result. */
    void end() noexcept
    {
        std::unique_lock lock(mutex);
        ends = true; /* nobody begins from now on */
        offered.notify_all();
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
#if defined(POLYMASK_THREAD_SANITIZER)
    using Clock = std::chrono::system_clock; /* they do not know the wait by the other one */
#else
    using Clock = std::chrono::steady_clock; /* nobody can set it */
#endif
    static constexpr std::chrono::milliseconds patience{50};

    /* Tries to have so many threads; returns whether there is one. */
    bool hire(int wanted) noexcept
    {
        try {
            /* By a plain function, as std::thread's templates are visible outside of a library,
             * and what they are made for with them. */
            while (helpers.size() < static_cast<std::size_t>(wanted)) {
                Helper &made = helpers.emplace_back(*this);
                made.thread = std::thread(&begin, static_cast<void *>(&made));
            }
        } catch (const std::system_error &) { /* no more to be had: fewer do it */
        } catch (const std::bad_alloc &) {
        }
        if (!helpers.empty() && !helpers.back().thread.joinable())
            helpers.pop_back();
        return !helpers.empty();
    }

    static void begin(void *helper) noexcept
    {
        const ToNearest rounding; /* whatever the thread that started this one does */
        Helper &self = *static_cast<Helper *>(helper);
        self.crew.serve(self);
    }

    void serve(Helper &self) noexcept
    {
        std::unique_lock lock(mutex);
        while (true) {
            offered.wait(lock, [&] { return ends || first != nullptr; });
            if (ends)
                return;
            Offer &taken = *first;
            if (--taken.places_ == 0)
                remove(taken);
            ++taken.inside_;
            self.is_busy = true;
            const bool wants_more = first != nullptr;
            lock.unlock();
            for (int i = 0; wants_more && i < 2; ++i) /* so that all are soon awake */
                offered.notify_one();
            taken.help_(taken.context_);
            lock.lock();
            self.is_busy = false;
            if (--taken.inside_ == 0)
                taken.left_.notify_one(); /* with the lock: behind it the offer may be gone */
        }
    }

    void remove(const Offer &made) noexcept
    {
        for (Offer **at = &first; *at != nullptr; at = &(*at)->next_) {
            if (*at == &made) {
                *at = made.next_;
                return;
            }
        }
    }
};

namespace
{

std::atomic<Crew *> crew = nullptr;

/* None where there is no memory for one. */
Crew *the_crew() noexcept
{
    Crew *there = crew;
    if (there != nullptr)
        return there;
    Crew *const made = new (std::nothrow) Crew;
    if (made == nullptr || crew.compare_exchange_strong(there, made))
        return made;
    delete made; /* another thread was faster */
    return there;
}

/* From loading this code to unloading it, or to the end of the process. */
struct Life {
#ifdef POLYMASK_FORKS
    /* fork copies memory, but of the threads only the one that called it. What is copied is left as
     * it is: its lock may be held by a thread that is not there. */
    Life()
    {
        pthread_atfork(nullptr, nullptr, [] {
            left_behind = crew;
            crew = nullptr;
        });
    }
    /* Sleepers must not wake in code that is gone. The crew stays: another thread may be about to
     * make an offer. (Windows ends them before it comes here.) */
    ~Life()
    {
        if (Crew *const there = crew)
            there->end();
    }
    static inline Crew *left_behind = nullptr; /* so that no tool takes it for lost */
#endif
};
const Life life;

} // namespace

Offer::Offer(int helpers, Help help, void *context) noexcept
    : help_(help), context_(context), places_(helpers)
{
    crew_ = helpers > 0 ? the_crew() : nullptr;
    if (crew_ != nullptr)
        crew_->offer(*this);
}

Offer::~Offer()
{
    if (crew_ != nullptr)
        crew_->withdraw(*this);
}

bool Offer::is_over_soon() noexcept
{
    return crew_ == nullptr || crew_->is_over_soon(*this);
}

} // namespace polymask::detail
