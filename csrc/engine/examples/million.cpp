/* A million octagons: an image of labels, their areas in pixels, and their runs, in memory that
 * this program allocates. */

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <span>
#include <vector>

#include <polymask/labels.hpp>
#include <polymask/runs.hpp>

template <class Work> void timed(const char *what, Work work)
{
    const auto start = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cout << what << ": " << took.count() << " s\n";
}

int main(int argc, char **argv)
{
    const std::int64_t asked = argc > 1 ? std::strtoll(argv[1], nullptr, 10) : 1'000'000;
    const std::int64_t count = std::max<std::int64_t>(asked, 0), size = 20000;

    /* x0, y0, x1, y1, ... of all octagons, and their starts, as in a file or another library. */
    std::vector<double> vertices;
    std::vector<std::int64_t> rings = {0};
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> anywhere(0, static_cast<double>(size)), radius(8, 12);
    for (std::int64_t i = 0; i < count; ++i) {
        const double x = anywhere(random), y = anywhere(random), r = radius(random);
        for (int corner = 0; corner < 8; ++corner) {
            const double angle = (corner + 0.5) * 0.785398163397448;
            vertices.push_back(x + r * std::cos(angle));
            vertices.push_back(y + r * std::sin(angle));
        }
        rings.push_back(rings.back() + 8);
    }
    const polymask::Polygons octagons = {vertices, rings};

    /* calloc returns pages that are already zero: pages that no octagon covers are never accessed.
     */
    const auto pixels = static_cast<std::size_t>(size * size);
    const std::unique_ptr<std::int32_t, decltype(&std::free)> image(
        static_cast<std::int32_t *>(std::calloc(pixels, sizeof(std::int32_t))), &std::free);
    if (image == nullptr)
        return 1;
    const polymask::Grid grid = {{size, size}};
    timed("labels, the smaller on top", [&] {
        polymask::fill_labels<std::int32_t>(octagons, grid, {}, {image.get(), pixels},
                                            polymask::OnTop::smallest, {}, {.out_is_zero = true});
    });

    std::vector<polymask::PixelSums> sums(static_cast<std::size_t>(count));
    timed("areas and centroids", [&] { polymask::pixel_sums(octagons, grid, sums); });
    std::int64_t covered = 0;
    for (const polymask::PixelSums &sum : sums)
        covered += sum.pixels;

    std::int64_t runs = 0, longest = 0;
    timed("runs, none of them stored", [&] {
        polymask::for_each_run(octagons, grid,
                               [&](std::int64_t, std::span<const polymask::Run> some) {
                                   runs += static_cast<std::int64_t>(some.size());
                                   for (const polymask::Run &run : some)
                                       longest = std::max(longest, run.size());
                               });
    });
    std::cout << covered << " pixels in " << runs << " runs, of " << longest << " at most\n";
}
