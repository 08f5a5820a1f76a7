#include "support/environment.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>

#include "polymask/polymask.hpp"

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

} // namespace polymask
