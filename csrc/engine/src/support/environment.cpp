#include "support/environment.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "polymask/polymask.hpp"
#include "support/cgroup.hpp"

#ifdef __linux__
#include <sched.h>
#endif

namespace polymask::inline POLYMASK_ABI
{

namespace detail
{

namespace
{

/* A snapshot of the environment. Snapshots are never freed, because other threads may be reading
 * them: there is one for each set of values that a program gives its variables. */
struct Snapshot {
    Environment environment;
    const Snapshot *before;
};

constinit const Snapshot nothing_set{{}, nullptr};
constinit std::atomic<const Snapshot *> newest = &nothing_set;
constinit std::atomic<const Snapshot *> current = nullptr;

Variable text_of(const char *key) noexcept
{
    Variable text{};
    if (const char *const value = std::getenv(key))
        std::copy_n(value, std::min(std::strlen(value), text.size() - 1), text.begin());
    return text;
}

Environment current_environment() noexcept
{
    constexpr long most = 1 << 20;
    const char *const threads = std::getenv("OMP_NUM_THREADS");
    const long number = threads == nullptr ? 0 : std::strtol(threads, nullptr, 10);
    return {text_of("POLYMASK_ISA"), text_of("POLYMASK_STORES"),
            static_cast<int>(std::clamp(number, 0L, most))};
}

/* Returns the snapshot of an environment; without memory for a new one, the newest. */
const Snapshot *snapshot_of(const Environment &environment) noexcept
{
    const Snapshot *before = newest;
    for (const Snapshot *snapshot = before; snapshot != nullptr; snapshot = snapshot->before)
        if (snapshot->environment == environment)
            return snapshot;
    Snapshot *const created = new (std::nothrow) Snapshot{environment, before};
    if (created == nullptr)
        return before;
    while (!newest.compare_exchange_weak(before, created))
        created->before = before;
    return created;
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
    const detail::Environment now = detail::current_environment();
    const detail::Snapshot *const last = detail::current;
    if (last == nullptr || last->environment != now)
        detail::current = detail::snapshot_of(now);
}

namespace
{

/* Returns the number of processors, those in the affinity mask if the system has one. */
int processors_in_mask() noexcept
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

/* Returns the quota of processors, which is read once: that takes up to a tenth of a millisecond.
 * Two threads may both read it. A lock would be held forever in a process forked meanwhile. */
double quota() noexcept
{
    static constinit std::atomic<double> known = 0;
    if (known == 0)
        known = detail::cpu_quota();
    return known;
}

} // namespace

int detail::processors(double quota) noexcept
{
    return static_cast<int>(std::min<double>(processors_in_mask(), std::ceil(quota)));
}

int most_threads(int requested) noexcept
{
    if (requested == 1)
        return 1;
    const int number = requested > 0 ? requested : detail::environment().threads;
    return number > 0 ? std::min(number, 4 * processors_in_mask()) : detail::processors(quota());
}

namespace detail
{

int choose_threads(int requested, double microseconds) noexcept
{
    /* Waking a thread costs 3 microseconds on idle processors; if another program uses one of them,
     * the thread may come late, or after the work is done. */
    constexpr double worth_it = 40;
    return requested == 0 && microseconds < worth_it ? 1 : most_threads(requested);
}

} // namespace detail

} // namespace polymask::inline POLYMASK_ABI
