/* Running sums of 16 numbers as fractions, for targets without a way to add along a vector. */

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
