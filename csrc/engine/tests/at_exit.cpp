/* A program that makes a mask after its first one's objects are destroyed: handlers run in reverse
 * order. */

#include <array>
#include <cstdio>
#include <cstdlib>
#include <polymask/polymask.hpp>
#include <vector>

static std::vector<std::uint8_t> mask()
{
    static const std::array<double, 6> triangle = {1, 1, 900, 5, 40, 800};
    std::vector<std::uint8_t> result(1000 * 1000);
    polymask::Options options;
    options.threads = 2;
    polymask::fill_mask({triangle}, 1000, 1000, result, options);
    return result;
}

static std::vector<std::uint8_t> *first;

int main()
{
    std::atexit([] { std::puts(mask() == *first ? "the same" : "another"); });
    first = new std::vector<std::uint8_t>(mask());
}
