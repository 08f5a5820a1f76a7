/* Prints the mask of a triangle with a hole, and the code that filled it. */

#include <cstdint>
#include <iostream>
#include <vector>

#include <polymask/polymask.hpp>

int main()
{
    const std::vector<double> vertices = {2, 1, 37, 3, 9, 17, /* the hole: */ 9, 5, 20, 6, 11, 10};
    const std::vector<std::int64_t> ring_starts = {0, 3};
    const std::int64_t rows = 18, cols = 40;

    std::vector<std::uint8_t> mask(rows * cols);
    polymask::fill_mask({vertices, ring_starts}, {{rows, cols}}, mask);

    auto sample = mask.begin();
    for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t col = 0; col < cols; ++col)
            std::cout << (*sample++ ? '#' : '.');
        std::cout << '\n';
    }
    std::cout << polymask::describe(polymask::choose({vertices, ring_starts}, {{rows, cols}}))
              << '\n';
}
