/* Arrays that start uninitialised: pages that are never written are never touched. */
#pragma once

#include <algorithm>
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

/* Memory that is kept from polygon to polygon; what was in it is lost as it grows. */
template <class T> class Scratch
{
  public:
    T *room_for(std::size_t size)
    {
        if (size > size_) {
            memory_.reset();
            size_ = 0;
            const std::size_t wanted = std::max(size, std::size_t{256}) * 3 / 2;
            memory_ = uninitialized<T>(wanted);
            size_ = wanted;
        }
        return memory_.get();
    }
    T *get() const noexcept { return memory_.get(); }

  private:
    Array<T> memory_;
    std::size_t size_ = 0;
};

} // namespace polymask::detail
