/* A separate file, because compilers must not see these definitions where they are used. All
 * operators are defined, because sanitizers supply their own for missing ones. */

#include "no_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace polymask::test
{

constinit thread_local bool has_memory = true;
constinit std::atomic<void (*)()> on_allocation = nullptr;

namespace
{

void *allocated(std::size_t size)
{
    if (auto *const call = on_allocation.load())
        call();
    return has_memory ? std::malloc(std::max<std::size_t>(size, 1)) : nullptr;
}

} // namespace

} // namespace polymask::test

void *operator new(std::size_t size, const std::nothrow_t &) noexcept
try {
    return polymask::test::allocated(size);
} catch (...) {
    return nullptr;
}

void *operator new[](std::size_t size, const std::nothrow_t &) noexcept
{
    return operator new(size, std::nothrow);
}

void *operator new(std::size_t size)
{
    if (void *const made = polymask::test::allocated(size))
        return made;
    throw std::bad_alloc();
}

void *operator new[](std::size_t size)
{
    return operator new(size);
}

void operator delete(void *made) noexcept
{
    std::free(made);
}

void operator delete[](void *made) noexcept
{
    std::free(made);
}

void operator delete(void *made, std::size_t) noexcept
{
    std::free(made);
}

void operator delete[](void *made, std::size_t) noexcept
{
    std::free(made);
}
