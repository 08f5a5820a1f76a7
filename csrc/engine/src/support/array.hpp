/* Arrays that start uninitialised: pages that are never written are never touched. */
#pragma once

#include <cstddef>
#include <memory>

namespace polymask::detail
{

template <class T> using Array = std::unique_ptr<T[]>;

/* Throws std::bad_alloc. (std::make_unique_for_overwrite, where the library has it.) */
template <class T> Array<T> uninitialized(std::size_t size)
{
    return Array<T>(new T[size]);
}

} // namespace polymask::detail
