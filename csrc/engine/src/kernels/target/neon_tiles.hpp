/* NEON: the vectors of tiles (tiles.inl), in two or four registers. */

template <class Vector> struct Halves {
    Vector low, high;
};
using EightLanes = Halves<uint32x4_t>;
using RowBytes = Halves<uint8x16_t>;

template <class Vector>
static inline Halves<Vector> both(Halves<Vector> a, Halves<Vector> b) noexcept
{
    return {a.low & b.low, a.high & b.high};
}

static inline EightLanes every_lane(std::uint32_t v) noexcept
{
    return {vdupq_n_u32(v), vdupq_n_u32(v)};
}
static inline EightLanes lane_rows() noexcept
{
    return {uint32x4_t{0, 1, 2, 3}, uint32x4_t{16, 17, 18, 19}};
}
static inline EightLanes plus(EightLanes a, EightLanes b) noexcept
{
    return {a.low + b.low, a.high + b.high};
}
static inline EightLanes times(EightLanes a, EightLanes b) noexcept
{
    return {a.low * b.low, a.high * b.high};
}
static inline EightLanes lesser_of(EightLanes a, EightLanes b) noexcept
{
    return {vminq_u32(a.low, b.low), vminq_u32(a.high, b.high)};
}
static inline bool any_below(EightLanes v, std::uint32_t least) noexcept
{
    return vminvq_u32(vminq_u32(v.low, v.high)) < least;
}

/* Twice, the upper half of each number. */
static inline uint8x16_t top_bytes(uint32x4_t a, uint32x4_t b, uint32x4_t c, uint32x4_t d) noexcept
{
    return vuzp2q_u8(vuzp2q_u8(vreinterpretq_u8_u32(a), vreinterpretq_u8_u32(b)),
                     vuzp2q_u8(vreinterpretq_u8_u32(c), vreinterpretq_u8_u32(d)));
}
static inline RowBytes top_bytes(EightLanes a, EightLanes b, EightLanes c, EightLanes d) noexcept
{
    return {top_bytes(a.low, b.low, c.low, d.low), top_bytes(a.high, b.high, c.high, d.high)};
}

static inline RowBytes every_byte(std::int64_t n) noexcept
{
    const uint8x16_t bytes = vdupq_n_u8(static_cast<std::uint8_t>(n));
    return {bytes, bytes};
}
static inline RowBytes row_numbers() noexcept
{
    return {uint8x16_t{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
            uint8x16_t{16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31}};
}
static inline RowBytes but_not(RowBytes a, RowBytes b) noexcept
{
    return {a.low & ~b.low, a.high & ~b.high};
}
static inline RowBytes equal_bytes(RowBytes a, RowBytes b) noexcept
{
    return {vceqq_u8(a.low, b.low), vceqq_u8(a.high, b.high)};
}
static inline RowBytes less_bytes(RowBytes a, RowBytes b) noexcept
{
    return {vcltq_u8(a.low, b.low), vcltq_u8(a.high, b.high)};
}
static inline RowBytes single_bits(RowBytes v) noexcept
{
    const RowBytes places = both(v, every_byte(7));
    const uint8x16_t one = vdupq_n_u8(1);
    return {vshlq_u8(one, vreinterpretq_s8_u8(places.low)),
            vshlq_u8(one, vreinterpretq_s8_u8(places.high))};
}
static inline RowBytes from_rows(RowBytes v, RowBytes rows) noexcept
{
    const RowBytes in_half = both(rows, every_byte(15));
    return {vqtbl1q_u8(v.low, in_half.low), vqtbl1q_u8(v.high, in_half.high)};
}
static inline void store_bytes(void *to, RowBytes v) noexcept
{
    auto *const bytes = static_cast<std::uint8_t *>(to);
    vst1q_u8(bytes, v.low);
    vst1q_u8(bytes + 16, v.high);
}

struct EightWords {
    uint64x2_t v[4];
};

static inline EightWords load_eight(const std::uint64_t *from) noexcept
{
    return {{vld1q_u64(from), vld1q_u64(from + 2), vld1q_u64(from + 4), vld1q_u64(from + 6)}};
}
static inline bool are_zero(const EightWords &a, const EightWords &b) noexcept
{
    const uint64x2_t any =
        (a.v[0] | a.v[1] | a.v[2] | a.v[3]) | (b.v[0] | b.v[1] | b.v[2] | b.v[3]);
    return vmaxvq_u32(vreinterpretq_u32_u64(any)) == 0;
}
/* The number of a byte has six bits. When the first 32 bytes alternate with the others, the upper
 * bit becomes the lowest; after three times, the three bits of the word are those of the byte. */
static inline EightWords transposed(EightWords w) noexcept
{
    for (int i = 0; i < 3; ++i) {
        const uint8x16_t a = vreinterpretq_u8_u64(w.v[0]), b = vreinterpretq_u8_u64(w.v[1]),
                         c = vreinterpretq_u8_u64(w.v[2]), d = vreinterpretq_u8_u64(w.v[3]);
        w = {{vreinterpretq_u64_u8(vzip1q_u8(a, c)), vreinterpretq_u64_u8(vzip2q_u8(a, c)),
              vreinterpretq_u64_u8(vzip1q_u8(b, d)), vreinterpretq_u64_u8(vzip2q_u8(b, d))}};
    }
    return w;
}
static inline EightWords moved_up(EightWords w, const EightWords &before,
                                  const EightWords &bits) noexcept
{
    for (int i = 0; i < 4; ++i) {
        /* negative numbers shift down, and -64 to zero */
        const int64x2_t up = vreinterpretq_s64_u64(bits.v[i]);
        w.v[i] = vshlq_u64(w.v[i], up) | vshlq_u64(before.v[i], up - vdupq_n_s64(64));
    }
    return w;
}
static inline void store_each(std::uint64_t *to, std::int64_t stride, const EightWords &w) noexcept
{
    for (int i = 0; i < 4; ++i) {
        vst1q_lane_u64(to + 2 * i * stride, w.v[i], 0);
        vst1q_lane_u64(to + (2 * i + 1) * stride, w.v[i], 1);
    }
}
