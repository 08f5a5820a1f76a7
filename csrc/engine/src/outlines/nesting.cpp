#include "outlines/nesting.hpp"

#include <algorithm>
#include <span>

#include "mask/box.hpp"
#include "mask/exact.hpp"
#include "mask/rings.hpp"
#include "parallel/pace.hpp"
#include "polymask/interruption.hpp"

namespace polymask::detail
{

namespace
{

using Ring = std::span<const double>;

bool holds(const Extent &outer, const Extent &inner) noexcept
{
    return outer.left <= inner.left && inner.right <= outer.right && outer.top <= inner.top &&
           inner.bottom <= outer.bottom;
}

enum class Place { outside, inside, on_an_edge };

Place place_of(double x, double y, const Ring &ring) noexcept
{
    bool inside = false;
    for (std::size_t i = 0, last = ring.size() - 2; i < ring.size(); last = i, i += 2) {
        const double *low = &ring[last], *high = &ring[i];
        if (high[1] < low[1])
            std::swap(low, high);
        if (y < low[1] || y > high[1])
            continue;
        if (low[1] == high[1]) {
            if (std::min(low[0], high[0]) <= x && x <= std::max(low[0], high[0]))
                return Place::on_an_edge;
            continue;
        }
        const int beyond = crossing_beyond(x, y, low[0], low[1], high[0], high[1]);
        if (beyond == 0)
            return Place::on_an_edge;
        inside ^= y > low[1] && beyond > 0;
    }
    return inside ? Place::inside : Place::outside;
}

/* What the first vertex says that lies on no edge of `other`. */
Place place_of(const Ring &ring, const Ring &other)
{
    Place place = Place::on_an_edge;
    Pace pace;
    for (std::size_t i = 0; place == Place::on_an_edge && i < ring.size(); i += 2) {
        place = place_of(ring[i], ring[i + 1], other);
        pace.after(static_cast<std::int64_t>(other.size() / 2));
    }
    return place;
}

/* Where all vertices lie on edges of `other`: the same ring, of which the later is inside, or one
 * that is inscribed or circumscribed, as some edge's middle tells. Rings that cross have no answer.
 */
bool is_inside(const Ring &ring, const Ring &other, bool later)
{
    Place place = place_of(ring, other);
    if (place == Place::on_an_edge && place_of(other, ring) == Place::on_an_edge)
        return later;
    Pace pace;
    for (std::size_t i = 0, last = ring.size() - 2; place == Place::on_an_edge && i < ring.size();
         last = i, i += 2) {
        place = place_of(ring[i] / 2 + ring[last] / 2, ring[i + 1] / 2 + ring[last + 1] / 2, other);
        pace.after(static_cast<std::int64_t>(other.size() / 2));
    }
    return place == Place::inside;
}

/* Twice the area, from the first vertex to keep digits. */
double area_of(const Ring &ring) noexcept
{
    double area = 0;
    for (std::size_t i = 2; i + 3 < ring.size(); i += 2)
        area += (ring[i] - ring[0]) * (ring[i + 3] - ring[1]) -
                (ring[i + 2] - ring[0]) * (ring[i + 1] - ring[1]);
    return area;
}

} // namespace

std::vector<int> orientations(const Polygon &polygon)
{
    const std::size_t count = ring_count(polygon);
    std::vector<int> factors(count, 1);
    if (count == 1)
        return factors; /* both ways are one way */
    std::vector<Extent> extents;
    for (std::size_t i = 0; i < count; ++i)
        extents.emplace_back(ring_of(polygon, i));
    for (std::size_t i = 0; i < count; ++i) {
        const Ring ring = ring_of(polygon, i);
        Interruption::stop_if_asked();
        bool hole = false;
        for (std::size_t j = 0; j < count; ++j)
            if (i != j && holds(extents[j], extents[i]))
                hole ^= is_inside(ring, ring_of(polygon, j), j < i);
        factors[i] = (area_of(ring) < 0) != hole ? -1 : 1;
    }
    return factors;
}

} // namespace polymask::detail
