/* A test of the compiler's options for arithmetic. Included once per target, inside its namespace.
 *
 * Macros do not tell all options: a compiler that may fuse a product and a sum rounds once where
 * the engine requires two roundings, but only if the target has such an instruction (AVX-512 always
 * has); and clang has no macro for parts of fast mathematics. */

/* Returns whether these expressions equal the results of their separate operations. (clang would
 * turn `a * b - c == 0` into `a * b == c`, which fuses nothing.) */
static bool is_exact(const Arithmetic &n) noexcept
{
    const double quotients = n.dividends[0] / n.divisor + n.dividends[1] / n.divisor +
                             n.dividends[2] / n.divisor + n.dividends[3] / n.divisor;
    return n.a * n.b + n.negated == 0 &&                    /* not fused */
           (n.large + n.small) - n.large == n.difference && /* not reassociated */
           quotients == 15 &&                               /* not products by 1 / divisor */
           std::isnan(n.nan) && !std::isfinite(n.infinity); /* not assumed to be absent */
}
