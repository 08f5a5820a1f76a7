#include "coverage/rings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>

#include "mask/window.hpp"
#include "parallel/interrupt_poller.hpp"
#include "polymask/interruption.hpp"

namespace polymask::detail
{

namespace
{

int sign_of(double v) noexcept
{
    return (v > 0) - (v < 0);
}

/* Returns whether fl(a - b) == a - b, by Knuth's sum without a branch; false on overflow. */
bool is_exact(double a, double b, double difference) noexcept
{
    const double b_seen = a - difference, a_seen = difference + b_seen;
    return (b_seen - b) + (a - a_seen) == 0;
}

/* Returns whether neither a product of such factors nor its rounding error over- or underflows. */
bool is_moderate(double v) noexcept
{
    return v == 0 || (std::fabs(v) > 0x1p-400 && std::fabs(v) < 0x1p400);
}

/* Returns a b - fl(a b), exactly (Dekker), for moderate factors. */
double product_error(double a, double b, double product) noexcept
{
    constexpr double splitter = 0x1p27 + 1;
    const double ca = splitter * a, a_high = ca - (ca - a), a_low = a - a_high;
    const double cb = splitter * b, b_high = cb - (cb - b), b_low = b - b_high;
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/* Integers large enough for all doubles and their differences, in units of the smallest denormal,
 * 2^-1074. */
constexpr std::size_t words = 66; /* 2112 bits, of which 2099 are needed */
template <std::size_t n> struct Whole {
    int sign = 0;
    std::array<std::uint32_t, n> magnitude = {}; /* the lowest word first */
};

void add_magnitude(Whole<words> &sum, double v) noexcept
{
    int exponent;
    const auto mantissa =
        static_cast<std::uint64_t>(std::ldexp(std::frexp(std::fabs(v), &exponent), 53));
    int shift = exponent - 53 + 1074;
    const std::uint64_t digits =
        shift < 0 ? mantissa >> -shift : mantissa; /* zeros are shifted out */
    shift = std::max(shift, 0);
    auto word = static_cast<std::size_t>(shift / 32);
    const int bit = shift % 32;
    const std::uint32_t parts[] = {static_cast<std::uint32_t>(digits << bit),
                                   static_cast<std::uint32_t>(digits << bit >> 32),
                                   bit == 0 ? 0 : static_cast<std::uint32_t>(digits >> (64 - bit))};
    std::uint64_t carry = 0;
    for (std::size_t i = 0; word < words && (i < 3 || carry != 0); ++i, ++word) {
        carry += std::uint64_t{sum.magnitude[word]} + (i < 3 ? parts[i] : 0);
        sum.magnitude[word] = static_cast<std::uint32_t>(carry);
        carry >>= 32;
    }
}

template <std::size_t n> int compare_magnitudes(const Whole<n> &a, const Whole<n> &b) noexcept
{
    for (std::size_t i = n; i-- > 0;)
        if (a.magnitude[i] != b.magnitude[i])
            return a.magnitude[i] < b.magnitude[i] ? -1 : 1;
    return 0;
}

Whole<words> difference(double a, double b) noexcept
{
    Whole<words> result;
    result.sign = (a > b) - (a < b);
    if (sign_of(a) * sign_of(b) <= 0) {
        add_magnitude(result, a);
        add_magnitude(result, b);
        return result;
    }
    Whole<words> smaller;
    add_magnitude(result, std::max(std::fabs(a), std::fabs(b)));
    add_magnitude(smaller, std::min(std::fabs(a), std::fabs(b)));
    std::int64_t borrow = 0;
    for (std::size_t i = 0; i < words; ++i) {
        borrow += std::int64_t{result.magnitude[i]} - smaller.magnitude[i];
        result.magnitude[i] = static_cast<std::uint32_t>(borrow);
        borrow >>= 32;
    }
    return result;
}

Whole<2 * words> product(const Whole<words> &a, const Whole<words> &b) noexcept
{
    Whole<2 * words> result;
    result.sign = a.sign * b.sign;
    for (std::size_t i = 0; i < words; ++i) {
        if (a.magnitude[i] == 0)
            continue;
        std::uint64_t carry = 0;
        for (std::size_t j = 0; j < words; ++j) {
            carry += result.magnitude[i + j] +
                     std::uint64_t{a.magnitude[i]} * std::uint64_t{b.magnitude[j]};
            result.magnitude[i + j] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        result.magnitude[i + words] = static_cast<std::uint32_t>(carry);
    }
    return result;
}

} // namespace

int compare_products(double a, double b, double c, double d, double e, double f, double g,
                     double h) noexcept
{
    /* Rounded differences keep their signs. */
    const double ab = a - b, cd = c - d, ef = e - f, gh = g - h;
    const double left = ab * cd, right = ef * gh;
    const int left_sign = sign_of(ab) * sign_of(cd), right_sign = sign_of(ef) * sign_of(gh);
    if (left_sign != right_sign)
        return left_sign < right_sign ? -1 : 1;
    if (left_sign == 0)
        return 0;

    /* Each product is rounded three times, their difference once: the error is at most 7 units of
     * 2^-53 of |left| + |right|, if nothing overflows or underflows. */
    const double distance = left - right, size = std::fabs(left) + std::fabs(right);
    if (size < 0x1p1000 && std::fabs(distance) > size * 0x1p-50 && size > 0x1p-900)
        return sign_of(distance);

    if (is_exact(a, b, ab) && is_exact(c, d, cd) && is_exact(e, f, ef) && is_exact(g, h, gh) &&
        is_moderate(ab) && is_moderate(cd) && is_moderate(ef) && is_moderate(gh)) {
        if (left != right) /* rounding is monotone */
            return sign_of(distance);
        const double left_error = product_error(ab, cd, left),
                     right_error = product_error(ef, gh, right);
        return (left_error > right_error) - (left_error < right_error);
    }

    const auto exact_left = product(difference(a, b), difference(c, d)),
               exact_right = product(difference(e, f), difference(g, h));
    return left_sign * compare_magnitudes(exact_left, exact_right);
}

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

/* Returns the place of the first vertex that lies on no edge of `other`. */
Place place_of(const Ring &ring, const Ring &other)
{
    Place place = Place::on_an_edge;
    InterruptPoller poller;
    for (std::size_t i = 0; place == Place::on_an_edge && i < ring.size(); i += 2) {
        place = place_of(ring[i], ring[i + 1], other);
        poller.count(static_cast<std::int64_t>(other.size() / 2));
    }
    return place;
}

/* For a ring with all vertices on edges of `other`. If it is the same ring, the later one is
 * inside; otherwise it is inscribed or circumscribed, as the middle of some edge tells. Rings that
 * cross have no defined result. */
bool is_inside(const Ring &ring, const Ring &other, bool later)
{
    Place place = place_of(ring, other);
    if (place == Place::on_an_edge && place_of(other, ring) == Place::on_an_edge)
        return later;
    InterruptPoller poller;
    for (std::size_t i = 0, last = ring.size() - 2; place == Place::on_an_edge && i < ring.size();
         last = i, i += 2) {
        place = place_of(ring[i] / 2 + ring[last] / 2, ring[i + 1] / 2 + ring[last + 1] / 2, other);
        poller.count(static_cast<std::int64_t>(other.size() / 2));
    }
    return place == Place::inside;
}

/* Returns twice the area, computed relative to the first vertex to keep digits. */
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
        return factors; /* the direction of a single ring does not matter */
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
