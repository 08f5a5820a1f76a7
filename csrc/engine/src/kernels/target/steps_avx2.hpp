/* Eight rows of an edge in two vectors of AVX2, which AVX-512 uses, too: on an Intel Sapphire
 * Rapids (November 2026) bits that are stored by 64 bytes and read one by one took 1.35 times as
 * long. */

constexpr int rows_at_once = 8;

class Steps
{
  public:
    Steps(std::uint64_t x, std::uint64_t step, std::uint64_t mask) noexcept
        : low_(_mm256_add_epi64(repeat(x), _mm256_setr_epi64x(0, static_cast<long long>(step),
                                                              static_cast<long long>(2 * step),
                                                              static_cast<long long>(3 * step)))),
          high_(_mm256_add_epi64(low_, repeat(4 * step))), step_(repeat(8 * step)),
          mask_(repeat(mask))
    {
    }
    bool decided() const noexcept
    {
        const __m256i near = _mm256_or_si256(is_near(low_), is_near(high_));
        return _mm256_testz_si256(near, near) != 0;
    }
    void store(std::uint64_t *bits) const noexcept
    {
        _mm256_store_si256(reinterpret_cast<__m256i *>(bits), bits_of(low_));
        _mm256_store_si256(reinterpret_cast<__m256i *>(bits + 4), bits_of(high_));
    }
    void advance() noexcept
    {
        low_ = _mm256_add_epi64(low_, step_);
        high_ = _mm256_add_epi64(high_, step_);
    }

  private:
    static __m256i repeat(std::uint64_t v) noexcept
    {
        return _mm256_set1_epi64x(static_cast<long long>(v));
    }
    __m256i is_near(__m256i x) const noexcept
    {
        return _mm256_cmpeq_epi64(_mm256_and_si256(x, mask_), _mm256_setzero_si256());
    }
    static __m256i bits_of(__m256i x) noexcept
    {
        const __m256i place = _mm256_and_si256(_mm256_srli_epi64(x, fraction_bits), repeat(63));
        return _mm256_sllv_epi64(repeat(1), place);
    }
    __m256i low_, high_, step_, mask_;
};
