#include "support/environment.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "polymask/polymask.hpp"

#ifdef __linux__
#include <sched.h>
#endif

namespace polymask
{

namespace detail
{

namespace
{

/* What was read once is kept, as others may be looking at it: there are as many as a program has
 * set its variables to different values. */
struct Read {
    Environment environment;
    const Read *before;
};

constinit const Read nothing_set{{}, nullptr};
constinit std::atomic<const Read *> newest = &nothing_set;
constinit std::atomic<const Read *> current = nullptr;

Variable text_of(const char *key) noexcept
{
    Variable text{};
    if (const char *const value = std::getenv(key))
        std::copy_n(value, std::min(std::strlen(value), text.size() - 1), text.begin());
    return text;
}

Environment as_it_is() noexcept
{
    constexpr long most = 1 << 20;
    const char *const threads = std::getenv("OMP_NUM_THREADS");
    const long number = threads == nullptr ? 0 : std::strtol(threads, nullptr, 10);
    return {text_of("POLYMASK_ISA"), text_of("POLYMASK_STORES"),
            static_cast<int>(std::clamp(number, 0L, most))};
}

/* Without memory for one that is new, the one before. */
const Read *kept(const Environment &environment) noexcept
{
    const Read *before = newest;
    for (const Read *one = before; one != nullptr; one = one->before)
        if (one->environment == environment)
            return one;
    Read *const made = new (std::nothrow) Read{environment, before};
    if (made == nullptr)
        return before;
    while (!newest.compare_exchange_weak(before, made))
        made->before = before;
    return made;
}

} // namespace

const Environment &environment() noexcept
{
    if (current == nullptr)
        read_environment();
    return current.load()->environment;
}

} // namespace detail

void read_environment() noexcept
{
    const detail::Environment now = detail::as_it_is();
    const detail::Read *const held = detail::current;
    if (held == nullptr || held->environment != now)
        detail::current = detail::kept(now);
}

namespace
{

/* Those of the affinity mask, where the system has one. */
int processors() noexcept
{
#ifdef __linux__
    for (std::size_t most = 1024; most <= std::size_t{1} << 20; most *= 4) {
        cpu_set_t *const set = CPU_ALLOC(most);
        if (set == nullptr)
            break;
        const std::size_t bytes = CPU_ALLOC_SIZE(most);
        const bool fits = sched_getaffinity(0, bytes, set) == 0;
        const int count = fits ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (fits)
            return std::max(1, count);
    }
#endif
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

} // namespace

int most_threads(int requested) noexcept
{
    if (requested == 1)
        return 1;
    const int there = processors();
    const int wanted = requested > 0 ? requested : detail::environment().threads;
    return wanted > 0 ? std::min(wanted, 4 * there) : there;
}

namespace detail
{

int choose_threads(int requested, double microseconds) noexcept
{
    /* To wake a thread costs 3 microseconds on idle processors; where another program holds one of
     * them, the thread may come late, or when all is done. */
    constexpr double worth_it = 40;
    return requested == 0 && microseconds < worth_it ? 1 : most_threads(requested);
}

} // namespace detail

} // namespace polymask
