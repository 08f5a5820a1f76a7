#include "threads.hpp"

#include <algorithm>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace polymask::detail
{

int choose_threads(int requested, std::int64_t pixels) noexcept
{
#ifdef _OPENMP
    if (requested > 0)
        return requested;
    /* Fork and join cost 5 microseconds: as long as a small mask. A thread without a processor of
     * its own makes the others wait for it, so the affinity mask (omp_get_num_procs) limits them.
     */
    constexpr std::int64_t worth_it = 1 << 19;
    return pixels < worth_it ? 1
                             : std::max(1, std::min(omp_get_max_threads(), omp_get_num_procs()));
#else
    static_cast<void>(requested);
    static_cast<void>(pixels);
    return 1;
#endif
}

} // namespace polymask::detail
