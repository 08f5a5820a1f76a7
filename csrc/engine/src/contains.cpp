/* Points, by the rule itself. */

#include "../../inside_polygon.h"
#include "polymask/polymask.hpp"
#include "threads.hpp"

namespace polymask
{

void contains_unchecked(const Polygon &polygon, const double *points, std::int64_t count,
                        std::uint8_t *out, bool border_value, int threads) noexcept
{
    const double *vertices = polygon.vertices.data();
    const auto vertex_count = static_cast<std::int64_t>(polygon.vertices.size() / 2);
    const auto rings = static_cast<std::int64_t>(polygon.ring_starts.size());

    const auto inside = [&](double x, double y) -> std::uint8_t {
        constexpr int on_vertex = 2; /* told from both answers */
        int answer = 0;
        for (std::int64_t ring = 0; ring < rings || ring == 0; ++ring) {
            const std::int64_t begin = ring < rings ? polygon.ring_starts[ring] : 0;
            const std::int64_t end =
                ring + 1 < rings ? polygon.ring_starts[ring + 1] : vertex_count;
            const int of_ring = inside_polygon(x, y, vertices + 2 * begin, end - begin, on_vertex);
            if (of_ring == on_vertex)
                return border_value;
            answer ^= of_ring;
        }
        return static_cast<std::uint8_t>(answer);
    };

    [[maybe_unused]] const int team = detail::choose_threads(
        threads, static_cast<double>(count) * static_cast<double>(vertex_count) * 1e-3);
#ifdef _OPENMP
#pragma omp parallel for schedule(guided) num_threads(team) if (team > 1)
#endif
    for (std::int64_t i = 0; i < count; ++i)
        out[i] = inside(points[2 * i], points[2 * i + 1]);
}

} // namespace polymask
