/* Arrays that start uninitialised, so that pages that are never written are never accessed. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>

#include "polymask/config.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

template <class T> using Array = std::unique_ptr<T[]>;

/* std::make_unique_for_overwrite, which some standard libraries lack. Throws std::bad_alloc. */
template <class T> Array<T> uninitialized(std::size_t size)
{
    return Array<T>(new T[size]);
}

/* Memory that is reused from polygon to polygon; its contents are lost when it grows. */
template <class T> class Scratch
{
  public:
    T *room_for(std::size_t size)
    {
        if (size > size_) {
            memory_.reset();
            size_ = 0;
            const std::size_t new_size = std::max(size, std::size_t{256}) * 3 / 2;
            memory_ = uninitialized<T>(new_size);
            size_ = new_size;
        }
        return memory_.get();
    }
    T *get() const noexcept { return memory_.get(); }

  private:
    Array<T> memory_;
    std::size_t size_ = 0;
};

} // namespace polymask::inline POLYMASK_ABI::detail
