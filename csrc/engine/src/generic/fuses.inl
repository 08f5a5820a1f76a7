/* What the compiler was told of products and sums. Included once per target, inside its namespace.
 *
 * No macro says so: a compiler that may fuse a product and a sum rounds once where the engine
 * counts on twice, but only where the target has an instruction for it. AVX-512 always has. */

static bool fuses(double a, double b, double c) noexcept
{
    return a * b + c != 0;
}
