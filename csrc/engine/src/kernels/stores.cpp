#include "kernels/stores.hpp"

#include <stdexcept>
#include <string_view>

#include "kernels/kernels.hpp"
#include "support/environment.hpp"

namespace polymask::detail
{

namespace
{

/* A mask that may stay in the last cache is written fastest by ordinary stores. */
constexpr std::size_t beyond_caches = std::size_t{24} << 20;

Stores of_processor() noexcept
{
#ifdef POLYMASK_X86
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") ? Stores::streaming : Stores::prefetched;
#else
    return Stores::cached;
#endif
}

Stores of_environment()
{
    const std::string_view value = environment().stores.data();
    if (value.empty())
        return Stores::automatic;
    for (const Stores stores :
         {Stores::automatic, Stores::cached, Stores::prefetched, Stores::streaming})
        if (value == name(stores))
            return stores;
    throw std::runtime_error("POLYMASK_STORES=" + std::string(value) +
                             " is not automatic, cached, prefetched or streaming");
}

} // namespace

Stores choose_stores(Stores requested, InstructionSet set, std::size_t bytes)
{
    static const Stores preferred = of_processor();
    Stores stores = requested == Stores::automatic ? of_environment() : requested;
    if (stores == Stores::automatic)
        stores = bytes < beyond_caches ? Stores::cached : preferred;
    const bool past_caches = set == InstructionSet::avx2 || set == InstructionSet::avx512;
    const bool there = past_caches || (stores == Stores::prefetched && has_prefetch);
    return there ? stores : Stores::cached;
}

} // namespace polymask::detail
