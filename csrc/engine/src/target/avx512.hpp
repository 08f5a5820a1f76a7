/* AVX-512: a block is eight words. */

using Block = __m512i;
constexpr std::int64_t block_words = 8;

static inline Block load(const std::uint64_t *words) noexcept
{
    return _mm512_loadu_si512(words);
}
static inline void clear(std::uint64_t *words) noexcept
{
    _mm512_storeu_si512(words, _mm512_setzero_si512());
}
static inline bool is_zero(Block block) noexcept
{
    return _mm512_test_epi64_mask(block, block) == 0;
}

static inline Block inside_bits(Block toggles, std::uint64_t &inside) noexcept
{
    Block b = toggles;
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 1));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 2));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 4));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 8));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 16));
    b = _mm512_xor_si512(b, _mm512_slli_epi64(b, 32));
    /* The same from word to word: their last bits say which leave the parity changed. */
    std::uint32_t odd = _mm512_movepi64_mask(b);
    odd ^= odd << 1;
    odd ^= odd << 2;
    odd ^= odd << 4;
    const auto carried = static_cast<std::uint32_t>(odd << 1 ^ inside);
    inside = -(carried >> 8 & std::uint64_t{1});
    return _mm512_mask_xor_epi64(b, static_cast<__mmask8>(carried), b, _mm512_set1_epi64(-1));
}

template <Stores stores> static inline void put_line(std::uint8_t *out, __m512i bytes) noexcept
{
    if constexpr (stores == Stores::streaming) {
        _mm512_stream_si512(reinterpret_cast<__m512i *>(out), bytes);
    } else {
        if constexpr (stores == Stores::prefetched)
            prefetch_to_write(out + prefetch_distance);
        _mm512_storeu_si512(out, bytes);
    }
}

static inline __m512i bytes_of(std::uint64_t word) noexcept
{
    return _mm512_maskz_mov_epi8(word, _mm512_set1_epi8(1));
}

template <Stores stores> static inline void put_word(std::uint8_t *out, std::uint64_t word) noexcept
{
    put_line<stores>(out, bytes_of(word));
}

template <Stores stores> static inline void put(std::uint8_t *out, Block block) noexcept
{
    alignas(64) std::uint64_t words[8];
    _mm512_store_si512(words, block);
    through_memory(words);
    for (int i = 0; i < 8; ++i)
        put_line<stores>(out + 64 * i, bytes_of(words[i]));
}
template <Stores stores>
static inline void put_all(std::uint8_t *out, std::uint64_t inside) noexcept
{
    const __m512i bytes = bytes_of(inside);
    for (int i = 0; i < 8; ++i)
        put_line<stores>(out + 64 * i, bytes);
}
static inline void put_bits(std::uint8_t *out, Block block) noexcept
{
    _mm512_storeu_si512(out, block);
}
template <Stores stores> static inline void fence() noexcept
{
    if constexpr (stores == Stores::streaming)
        _mm_sfence();
}

constexpr int rows_at_once = 8;

class Steps
{
  public:
    Steps(std::uint64_t x, std::uint64_t step, std::uint64_t mask) noexcept
        : x_(_mm512_add_epi64(
              repeat(x),
              _mm512_mullo_epi64(repeat(step), _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7)))),
          step_(repeat(8 * step)), mask_(repeat(mask))
    {
    }
    bool decided() const noexcept { return _mm512_testn_epi64_mask(x_, mask_) == 0; }
    void store(std::uint64_t *bits) const noexcept
    {
        _mm512_store_si512(bits,
                           _mm512_rolv_epi64(repeat(1), _mm512_srli_epi64(x_, fraction_bits)));
    }
    void advance() noexcept { x_ = _mm512_add_epi64(x_, step_); }

  private:
    static __m512i repeat(std::uint64_t v) noexcept
    {
        return _mm512_set1_epi64(static_cast<long long>(v));
    }
    __m512i x_, step_, mask_;
};
