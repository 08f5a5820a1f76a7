#include "parallel/threads.hpp"

#include <algorithm>
#include <thread>

#include "polymask/polymask.hpp"
#include "support/environment.hpp"

#ifdef __linux__
#include <sched.h>
#endif

namespace polymask
{

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
