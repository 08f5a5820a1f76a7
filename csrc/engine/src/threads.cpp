#include "threads.hpp"

#include <algorithm>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace polymask::detail
{

int choose_threads(int requested, double microseconds) noexcept
{
#ifdef _OPENMP
    if (requested > 0)
        return requested;
    /* Fork and join cost 5 microseconds on idle processors, and milliseconds where another program
     * holds one of them. A thread without a processor of its own makes the others wait for it, so
     * the affinity mask (omp_get_num_procs) limits them. */
    constexpr double worth_it = 40;
    return microseconds < worth_it
               ? 1
               : std::max(1, std::min(omp_get_max_threads(), omp_get_num_procs()));
#else
    static_cast<void>(requested);
    static_cast<void>(microseconds);
    return 1;
#endif
}

} // namespace polymask::detail
