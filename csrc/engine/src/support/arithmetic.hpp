/* Operands for generic/is_exact.inl, which finds out what a compiler was told about arithmetic. */
#pragma once

#include <limits>

namespace polymask::detail
{

struct Arithmetic {
    double a, b, negated;            /* -(a * b), rounded as the process rounds */
    double large, small, difference; /* large + small - large, each rounded */
    double dividends[4], divisor;    /* 49, 98, 196 and 392 by 49: 49 * (1 / 49) is not 1 */
    double nan, infinity;

    /* In whichever direction this process rounds. volatile: what the compiler knows, it
     * computes itself, and exactly; and each operation here is one alone. */
    static Arithmetic unknown_to_the_compiler() noexcept
    {
        const volatile double a = 1 + 0x1p-30, b = 1 - 0x1p-30; /* a * b has to be rounded */
        const volatile double product = a * b;
        const volatile double large = 0x1p60, small = 1; /* and so has their sum */
        const volatile double sum = large + small, difference = sum - large;
        const volatile double divisor = 49;
        const volatile double nan = std::numeric_limits<double>::quiet_NaN();
        const volatile double infinity = std::numeric_limits<double>::infinity();
        return {a,       b,   -product, large, small, difference, {49, 98, 196, 392},
                divisor, nan, infinity};
    }
};

} // namespace polymask::detail
