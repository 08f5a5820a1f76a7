/* What the compiler was told about arithmetic. Included once per target, inside its namespace.
 *
 * No macro says all of it: a compiler that may fuse a product and a sum rounds once where the
 * engine counts on twice, but only where the target has an instruction for it (AVX-512 always has);
 * and no macro of clang's tells which parts of fast mathematics it was given. */

/* Whether these operations give what each of them gives alone. Of `a * b - c == 0` clang would make
 * `a * b == c`, and fuse nothing. */
static bool is_exact(const Arithmetic &n) noexcept
{
    const double quotients = n.dividends[0] / n.divisor + n.dividends[1] / n.divisor +
                             n.dividends[2] / n.divisor + n.dividends[3] / n.divisor;
    return n.a * n.b + n.negated == 0 &&                    /* else they are fused */
           (n.large + n.small) - n.large == n.difference && /* or reassociated */
           quotients == 15 &&                               /* or products by 1 / divisor */
           std::isnan(n.nan) && !std::isfinite(n.infinity); /* or taken not to occur */
}
