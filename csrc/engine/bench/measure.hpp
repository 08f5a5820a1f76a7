/* Memory for output, and a stopwatch. */
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

#ifdef __linux__
#include <sys/mman.h>
#endif

constexpr std::size_t huge_page = std::size_t{1} << 21;

/* Memory with advice to use huge pages, as NumPy allocates large arrays. */
class Pages
{
  public:
    explicit Pages(std::size_t size) : size_((size + huge_page - 1) / huge_page * huge_page)
    {
#ifdef __linux__
        whole_ = size_ + huge_page;
        mapped_ = mmap(nullptr, whole_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped_ == MAP_FAILED)
            throw std::bad_alloc();
        const auto address = reinterpret_cast<std::uintptr_t>(mapped_);
        data_ =
            static_cast<std::uint8_t *>(mapped_) + (huge_page - address % huge_page) % huge_page;
        madvise(data_, size_, MADV_HUGEPAGE);
#else
        data_ = new std::uint8_t[size_]();
#endif
    }
    Pages(const Pages &) = delete;
    Pages &operator=(const Pages &) = delete;
    ~Pages()
    {
#ifdef __linux__
        munmap(mapped_, whole_);
#else
        delete[] data_;
#endif
    }
    std::uint8_t *data() const { return data_; }
    /* Returns the same memory as numbers of another type. */
    template <class T> T *as() const { return static_cast<T *>(static_cast<void *>(data_)); }

  private:
    std::size_t size_, whole_ = 0;
    void *mapped_ = nullptr;
    std::uint8_t *data_;
};

class Samples
{
  public:
    template <class Call> double time(Call call)
    {
        const auto start = std::chrono::steady_clock::now();
        call();
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        return add(passed.count());
    }
    double add(double seconds)
    {
        seconds_.push_back(seconds);
        return seconds;
    }
    double median()
    {
        std::sort(seconds_.begin(), seconds_.end());
        return seconds_[seconds_.size() / 2];
    }

  private:
    std::vector<double> seconds_;
};
