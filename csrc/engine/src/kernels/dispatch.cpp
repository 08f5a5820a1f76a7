/* The choice of the instruction set and the stores: only this file queries the processor. */

#include "kernels/kernels.hpp"

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "support/environment.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace detail
{

namespace
{

std::vector<const Kernels *> available_kernels()
{
    std::vector<const Kernels *> kernels;
#ifdef POLYMASK_X86
    __builtin_cpu_init();
    const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                      __builtin_cpu_supports("bmi2");
    if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        kernels.push_back(&avx512_kernels);
    if (avx2)
        kernels.push_back(&avx2_kernels);
#endif
#ifdef POLYMASK_NEON
    kernels.push_back(&neon_kernels);
#endif
    kernels.push_back(&plain_kernels);

    const Arithmetic numbers = Arithmetic::unknown_to_the_compiler();
    for (const Kernels *candidate : kernels)
        if (!candidate->is_exact(numbers))
            throw std::runtime_error(
                "the engine was compiled for inexact arithmetic, so masks would differ: compile "
                "it with the flags in exact_flags.txt");
    return kernels;
}

/* The available kernels, widest first. The list is never freed, because code that runs at exit may
 * also make masks. Two threads may both make one: a lock, as that of a static variable with a
 * constructor, would be held forever in a process forked meanwhile. */
const std::vector<const Kernels *> &kernels()
{
    using List = std::vector<const Kernels *>;
    static constinit std::atomic<const List *> known = nullptr;
    const List *existing = known;
    if (existing != nullptr)
        return *existing;
    auto created = std::make_unique<const List>(available_kernels());
    return *(known.compare_exchange_strong(existing, created.get()) ? created.release() : existing);
}

InstructionSet instruction_set_of_environment()
{
    const std::string_view value = environment().instruction_set.data();
    if (value.empty())
        return InstructionSet::automatic;
    for (const InstructionSet set :
         {InstructionSet::automatic, InstructionSet::plain, InstructionSet::neon,
          InstructionSet::avx2, InstructionSet::avx512})
        if (value == name(set))
            return set;
    throw std::runtime_error("POLYMASK_ISA=" + std::string(value) +
                             " is not automatic, plain, neon, avx2 or avx512");
}

/* Ordinary stores are the fastest for a mask that may stay in the last-level cache. */
constexpr std::size_t beyond_caches = std::size_t{24} << 20;

Stores stores_of_processor() noexcept
{
#ifdef POLYMASK_X86
    __builtin_cpu_init();
    return __builtin_cpu_is("amd") ? Stores::streaming : Stores::prefetched;
#else
    return Stores::cached;
#endif
}

Stores stores_of_environment()
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

const Kernels &choose_kernels(InstructionSet requested)
{
    const InstructionSet set =
        requested == InstructionSet::automatic ? instruction_set_of_environment() : requested;
    if (set == InstructionSet::automatic)
        return *kernels().front();
    for (const Kernels *candidate : kernels())
        if (candidate->instruction_set == set)
            return *candidate;
    std::string text(requested == InstructionSet::automatic ? "POLYMASK_ISA=" : "instruction set ");
    text.append(name(set)).append(" is not available: this processor and build have");
    for (const Kernels *candidate : kernels())
        text.append(candidate == kernels().front() ? " " : ", ")
            .append(name(candidate->instruction_set));
    throw std::runtime_error(text);
}

Stores choose_stores(Stores requested, InstructionSet set, std::size_t bytes)
{
    Stores stores = requested == Stores::automatic ? stores_of_environment() : requested;
    if (stores == Stores::automatic)
        stores = bytes < beyond_caches ? Stores::cached : stores_of_processor();
    const bool can_stream = set == InstructionSet::avx2 || set == InstructionSet::avx512;
    const bool is_available = can_stream || (stores == Stores::prefetched && has_prefetch);
    return is_available ? stores : Stores::cached;
}

} // namespace detail

std::vector<InstructionSet> available_instruction_sets()
{
    std::vector<InstructionSet> sets;
    for (const detail::Kernels *kernels : detail::kernels())
        sets.push_back(kernels->instruction_set);
    return sets;
}

InstructionSet active_instruction_set()
{
    return detail::choose_kernels(InstructionSet::automatic).instruction_set;
}

const char *name(InstructionSet set) noexcept
{
    switch (set) {
    case InstructionSet::automatic:
        return "automatic";
    case InstructionSet::plain:
        return "plain";
    case InstructionSet::avx2:
        return "avx2";
    case InstructionSet::avx512:
        return "avx512";
    case InstructionSet::neon:
        return "neon";
    }
    return "unknown";
}

const char *name(Stores stores) noexcept
{
    switch (stores) {
    case Stores::automatic:
        return "automatic";
    case Stores::cached:
        return "cached";
    case Stores::prefetched:
        return "prefetched";
    case Stores::streaming:
        return "streaming";
    }
    return "unknown";
}

} // namespace polymask::inline POLYMASK_ABI
