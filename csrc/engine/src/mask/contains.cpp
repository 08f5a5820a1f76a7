/* Points, by the rule itself. */

#include <algorithm>

#include "kernels/formula.hpp"
#include "parallel/share.hpp"
#include "parallel/threads.hpp"
#include "polymask/polymask.hpp"
#include "support/rounding.hpp"

namespace polymask
{

namespace
{

/* inside_polygon() with the ends of each edge in order, or without a value for vertices, or both.
 */
int inside_by_edges(double x, double y, const double *vertices, std::int64_t n, int on_vertex,
                    bool watertight, bool half_open)
{
    int inside = 0;
    const double *p1 = vertices + 2 * (n - 1);
    for (const double *p2 = vertices; p2 != vertices + 2 * n; p1 = p2, p2 += 2) {
        if (!half_open && x == p2[0] && y == p2[1])
            return on_vertex;
        inside ^= watertight
                      ? detail::toggles_watertight(x, y, p1[0], p1[1], p2[0], p2[1], half_open)
                      : detail::toggles(x, y, p1[0], p1[1], p2[0], p2[1]);
    }
    return inside;
}

} // namespace

Status contains_unchecked(const Polygon &polygon, const double *points, std::int64_t count,
                          std::uint8_t *out, bool border_value, int threads, bool watertight,
                          bool half_open) noexcept
{
    const detail::ToNearest rounding;
    const double *vertices = polygon.vertices.data();
    const std::int64_t *ring_starts = polygon.ring_starts.data();
    const auto vertex_count = static_cast<std::int64_t>(polygon.vertices.size() / 2);
    const auto rings = static_cast<std::int64_t>(polygon.ring_starts.size());

    const auto inside = [&](double x, double y) -> std::uint8_t {
        constexpr int on_vertex = 2; /* told from both answers */
        int answer = 0;
        for (std::int64_t ring = 0; ring < rings || ring == 0; ++ring) {
            const std::int64_t begin = ring < rings ? ring_starts[ring] : 0;
            const std::int64_t end = ring + 1 < rings ? ring_starts[ring + 1] : vertex_count;
            const double *first = vertices + 2 * begin;
            const int of_ring =
                watertight || half_open
                    ? inside_by_edges(x, y, first, end - begin, on_vertex, watertight, half_open)
                    : inside_polygon(x, y, first, end - begin, on_vertex);
            if (of_ring == on_vertex)
                return border_value;
            answer ^= of_ring;
        }
        return static_cast<std::uint8_t>(answer);
    };

    const int team = detail::choose_threads(threads, static_cast<double>(count) *
                                                         static_cast<double>(vertex_count) * 1e-3);
    constexpr std::int64_t most = 1024, visits = 1 << 18; /* of a chunk */
    const std::int64_t size =
        std::clamp<std::int64_t>(visits / std::max(vertex_count, std::int64_t{1}), 1, most);
    const auto make = [&] {
        return [&](std::int64_t index) {
            const std::int64_t end = std::min(count, (index + 1) * size);
            for (std::int64_t i = index * size; i < end; ++i)
                out[i] = inside(points[2 * i], points[2 * i + 1]);
        };
    };
    try {
        detail::share(team, (count + size - 1) / size, make);
        return Status::ok;
    } catch (const Interrupted &) {
        return Status::interrupted;
    }
}

} // namespace polymask
