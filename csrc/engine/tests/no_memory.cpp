/* A separate file, because compilers must not see these definitions where they are used. All
 * operators are defined, because sanitizers supply their own for missing ones. */

#include "no_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace polymask::test
{

constinit thread_local bool has_memory = true;

} // namespace polymask::test

void *operator new(std::size_t size, const std::nothrow_t &) noexcept
{
    return polymask::test::has_memory ? std::malloc(std::max<std::size_t>(size, 1)) : nullptr;
}

void *operator new[](std::size_t size, const std::nothrow_t &) noexcept
{
    return operator new(size, std::nothrow);
}

void *operator new(std::size_t size)
{
    if (void *const made = operator new(size, std::nothrow))
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
