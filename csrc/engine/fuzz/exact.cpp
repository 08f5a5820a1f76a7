/* Signs of differences of products, compared with integers of 128 bits. */

#include "coverage/rings.hpp"
#include "input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
#ifdef __SIZEOF_INT128__
    using namespace polymask;
    using namespace polymask::fuzz;
    __extension__ using Wide = __int128;
    Input input(data, size);
    /* Differences of integers below 2^53, each pair in its own unit; the units of the two products
     * agree. Some repeat earlier ones, so that the sign is that of a small number. */
    Wide whole[8];
    double real[8];
    const int unit = static_cast<int>(input.integer(-400, 400)),
              shift = static_cast<int>(input.integer(-60, 60));
    for (int i = 0; i < 8; ++i) {
        const auto other = input.byte();
        std::int64_t value = input.raw<std::int64_t>() % (std::int64_t{1} << 53);
        if (other % 4 == 1)
            value %= 1000;
        if (other % 4 == 2 && i > 0)
            value = static_cast<std::int64_t>(whole[other / 4 % i]) + value % 4;
        if (value > std::int64_t{1} << 53 || value < -(std::int64_t{1} << 53))
            value = 0;
        whole[i] = value;
        /* the units of the first, second, third and fourth pair: u s, u / s, u s, u / s */
        real[i] =
            std::ldexp(static_cast<double>(value), i / 2 % 2 == 0 ? unit + shift : unit - shift);
    }
    const Wide left = (whole[0] - whole[1]) * (whole[2] - whole[3]),
               right = (whole[4] - whole[5]) * (whole[6] - whole[7]);
    const int wanted = (left > right) - (left < right);
    require(detail::compare_products(real[0], real[1], real[2], real[3], real[4], real[5], real[6],
                                     real[7]) == wanted,
            "compare_products and whole numbers");
#else
    static_cast<void>(data);
    static_cast<void>(size);
#endif
    return 0;
}
