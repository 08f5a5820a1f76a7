#include <algorithm>
#include <cstddef>
#include <utility>

// A row of n numbers, in memory that the object owns.
class Row
{
  public:
    Row(std::ptrdiff_t n, double value) : n_(n), data_(new double[n])
    {
        std::fill(data_, data_ + n, value);
    }
    Row(const Row &other) : Row(other.n_, 0) { std::copy(other.data_, other.data_ + n_, data_); }
    Row &operator=(Row other) // a copy, which takes the old memory, and frees it
    {
        std::swap(n_, other.n_);
        std::swap(data_, other.data_);
        return *this;
    }
    ~Row() { delete[] data_; }

    double &operator[](std::ptrdiff_t i) { return data_[i]; }

  private:
    std::ptrdiff_t n_;
    double *data_;
};
