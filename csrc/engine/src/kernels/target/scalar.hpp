/* Code shared by plain words and NEON: eight numbers and eight counts, which compilers may
 * vectorize; steps along an edge in integer registers; running sums one by one. */

struct Numbers {
    double v[8];
};
struct Counts {
    std::uint32_t v[8];
};

static inline Numbers repeat(double v) noexcept
{
    return {{v, v, v, v, v, v, v, v}};
}
static inline Counts repeat(std::uint32_t v) noexcept
{
    return {{v, v, v, v, v, v, v, v}};
}
static inline Numbers zero_to_seven() noexcept
{
    return {{0, 1, 2, 3, 4, 5, 6, 7}};
}
static inline Counts places() noexcept
{
    return {{0, 1, 2, 3, 4, 5, 6, 7}};
}
static inline Counts load_counts(const std::uint32_t *from) noexcept
{
    Counts v;
    std::memcpy(v.v, from, sizeof v.v);
    return v;
}
static inline void store(std::uint32_t *to, const Counts &v) noexcept
{
    std::memcpy(to, v.v, sizeof v.v);
}
static inline void store(double *to, const Numbers &v) noexcept
{
    std::memcpy(to, v.v, sizeof v.v);
}

template <class Eight, class Make> static inline Eight each(const Make &make) noexcept
{
    Eight result;
    for (int i = 0; i < 8; ++i)
        result.v[i] = make(i);
    return result;
}

template <class Eight> static inline Eight plus(const Eight &a, const Eight &b) noexcept
{
    return each<Eight>([&](int i) { return a.v[i] + b.v[i]; });
}
template <class Eight> static inline Eight minus(const Eight &a, const Eight &b) noexcept
{
    return each<Eight>([&](int i) { return a.v[i] - b.v[i]; });
}
template <class Eight> static inline Eight times(const Eight &a, const Eight &b) noexcept
{
    return each<Eight>([&](int i) { return a.v[i] * b.v[i]; });
}
static inline Numbers over(const Numbers &a, const Numbers &b) noexcept
{
    return each<Numbers>([&](int i) { return a.v[i] / b.v[i]; });
}
static inline Numbers one_where_less(const Numbers &a, const Numbers &b) noexcept
{
    return each<Numbers>([&](int i) { return a.v[i] < b.v[i] ? 1.0 : 0.0; });
}
template <class Eight> static inline Eight greater_of(const Eight &a, const Eight &b) noexcept
{
    return each<Eight>([&](int i) { return a.v[i] > b.v[i] ? a.v[i] : b.v[i]; });
}
template <class Eight> static inline Eight lesser_of(const Eight &a, const Eight &b) noexcept
{
    return each<Eight>([&](int i) { return a.v[i] < b.v[i] ? a.v[i] : b.v[i]; });
}
static inline Counts both(const Counts &a, const Counts &b) noexcept
{
    return each<Counts>([&](int i) { return a.v[i] & b.v[i]; });
}
static inline Counts half_of(const Counts &v) noexcept
{
    return each<Counts>([&](int i) { return v.v[i] >> 1; });
}
static inline Counts signed_clamp(const Counts &v, std::int32_t low, std::int32_t high) noexcept
{
    return each<Counts>([&](int i) {
        const auto above = std::max(static_cast<std::int32_t>(v.v[i]), low);
        return static_cast<std::uint32_t>(std::min(above, high));
    });
}

static inline Counts low_words(const Numbers &v) noexcept
{
    std::uint64_t bits[8];
    std::memcpy(bits, v.v, sizeof bits);
    return each<Counts>([&](int i) { return static_cast<std::uint32_t>(bits[i]); });
}
static inline Counts middle_words(const Numbers &v) noexcept
{
    std::uint64_t bits[8];
    std::memcpy(bits, v.v, sizeof bits);
    return each<Counts>([&](int i) { return static_cast<std::uint32_t>(bits[i] >> 31); });
}
static inline Numbers numbers_of(const Counts &v) noexcept
{
    return each<Numbers>([&](int i) { return static_cast<std::int32_t>(v.v[i]); });
}
/* After the addition of 2^52, the result is in the last digits. */
static inline Counts rounded(const Numbers &v) noexcept
{
    return low_words(plus(v, repeat(0x1p52)));
}

static inline Counts first_of(const Counts &v, std::int64_t count) noexcept
{
    return each<Counts>([&](int i) { return i < count ? v.v[i] : 0; });
}
static inline Counts with_first(Counts v, std::uint32_t first) noexcept
{
    v.v[0] = first;
    return v;
}
static inline Counts with_at(const Counts &v, const Counts &at, std::uint32_t other) noexcept
{
    return each<Counts>(
        [&](int i) { return at.v[i] == static_cast<std::uint32_t>(i) ? other : v.v[i]; });
}
static inline Counts from_second(const Counts &v, const Counts &next) noexcept
{
    return each<Counts>([&](int i) { return i < 7 ? v.v[i + 1] : next.v[0]; });
}
static inline Counts from_last(const Counts &before, const Counts &v) noexcept
{
    return each<Counts>([&](int i) { return i > 0 ? v.v[i - 1] : before.v[7]; });
}

template <bool negative>
static inline void add_threes(std::uint32_t *sums, const Counts &indices, const Counts &a,
                              const Counts &b, const Counts &c) noexcept
{
    for (int i = 0; i < 8; ++i) {
        std::uint32_t *at = sums + static_cast<std::int32_t>(indices.v[i]);
        at[0] += negative ? 0 - a.v[i] : a.v[i];
        at[1] += negative ? 0 - b.v[i] : b.v[i];
        at[2] += negative ? 0 - c.v[i] : c.v[i];
    }
}

/* Returns bit number `place` of a row of words, within its word. Defined by the target. */
static inline std::uint64_t single_bit(std::uint64_t place) noexcept;

/* Toggles rows until one is not decided, row by row, because vectors save nothing here; returns
 * their number. */
static inline std::int64_t toggle_decided(std::uint64_t *bits, std::uint64_t x, std::uint64_t step,
                                          std::uint64_t mask, std::int64_t rows) noexcept
{
    std::int64_t row = 0;
    const auto toggle_row = [&] {
        if ((x & mask) == 0)
            return false;
        const std::uint64_t place = x >> fraction_bits;
        bits[place / 64] ^= single_bit(place);
        x += step;
        ++row;
        return true;
    };
    /* four rows per test of the remaining number */
    while (rows - row >= 4)
        if (!(toggle_row() && toggle_row() && toggle_row() && toggle_row()))
            return row;
    while (row < rows && toggle_row()) {
    }
    return row;
}

struct Label {
    std::uint64_t words[2];
};

static inline Label repeat_label(std::uint64_t bits) noexcept
{
    return {{bits, bits}};
}
static inline void put_label(std::uint8_t *out, const Label &label) noexcept
{
    std::memcpy(out, label.words, sizeof label.words);
}

/* Running sums of 16 numbers as fractions, for targets without prefix sums in vectors. */

using RowSum = std::uint32_t;

static inline RowSum row_sum(std::uint32_t sum) noexcept
{
    return sum;
}
static inline std::uint32_t sum_of(RowSum sum) noexcept
{
    return sum;
}
static inline bool are_zero(const std::uint32_t *sums) noexcept
{
    std::uint32_t any = 0;
    for (int i = 0; i < 32; ++i)
        any |= sums[i];
    return any == 0;
}

static inline void put_fractions(std::uint32_t *sums, RowSum &sum, float *out) noexcept
{
    for (int i = 0; i < 16; ++i) {
        out[i] = to_fraction(sum += sums[i]);
        sums[i] = 0;
    }
}
