/* What the compiler was told of products and sums. Included once per target, inside its namespace.
 *
 * No macro says so: a compiler that may fuse a product and a sum rounds once where the engine
 * counts on twice, but only where the target has an instruction for it. AVX-512 always has. */

/* `negated` is -(a * b) as this process rounds it, upwards or downwards too. So the sum is 0, unless
 * the product goes into it unrounded. */
static bool fuses(double a, double b, double negated) noexcept
{
    return a * b + negated != 0;
}
