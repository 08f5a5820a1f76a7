#include "coverage/rings.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "mask/window.hpp"
#include "parallel/interrupt_poller.hpp"

namespace polymask::inline POLYMASK_ABI::detail
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

bool meet(const Extent &a, const Extent &b) noexcept
{
    return a.left <= b.right && b.left <= a.right && a.top <= b.bottom && b.top <= a.bottom;
}

/* A tree of boxes: each of its nodes is the box of eight consecutive nodes or items. */
class BoxTree
{
  public:
    static constexpr std::size_t size = 8;

    explicit BoxTree(std::vector<Extent> items)
    {
        levels_.push_back(std::move(items));
        while (levels_.back().size() > size) {
            const std::vector<Extent> &below = levels_.back();
            std::vector<Extent> level((below.size() + size - 1) / size);
            for (std::size_t i = 0; i < below.size(); ++i) {
                Extent &node = level[i / size];
                node.left = std::min(node.left, below[i].left);
                node.top = std::min(node.top, below[i].top);
                node.right = std::max(node.right, below[i].right);
                node.bottom = std::max(node.bottom, below[i].bottom);
            }
            levels_.push_back(std::move(level));
        }
    }

    const std::vector<Extent> &items() const noexcept { return levels_.front(); }

    /* Calls visit(index) for the items that meet a box. */
    template <class Visit> void for_each_in(const Extent &box, Visit &&visit) const
    {
        descend(levels_.size() - 1, 0, box, visit);
    }

  private:
    template <class Visit>
    void descend(std::size_t level, std::size_t first, const Extent &box, Visit &&visit) const
    {
        const std::vector<Extent> &nodes = levels_[level];
        const std::size_t end = std::min(first + size, nodes.size());
        for (std::size_t i = first; i < end; ++i) {
            if (!meet(nodes[i], box))
                continue;
            if (level == 0)
                visit(i);
            else
                descend(level - 1, size * i, box, visit);
        }
    }

    std::vector<std::vector<Extent>> levels_; /* the items first, at most eight nodes last */
};

enum class Place { outside, inside, on_an_edge };

/* The edges of a ring, in a tree of the boxes of some consecutive ones: of these, a point needs
 * those in its row that reach to its right. */
class RingEdges
{
  public:
    explicit RingEdges(const Ring &ring) : ring_(ring), boxes_(boxes_of(ring)) {}

    Place place_of(double x, double y, InterruptPoller &poller) const
    {
        Extent right_of_point;
        right_of_point.left = x, right_of_point.right = std::numeric_limits<double>::infinity();
        right_of_point.top = right_of_point.bottom = y;
        bool inside = false, on_an_edge = false;
        boxes_.for_each_in(right_of_point, [&](std::size_t box) {
            poller.count(in_box);
            const std::size_t end = std::min((box + 1) * in_box, ring_.size() / 2);
            for (std::size_t i = box * in_box; i < end; ++i) {
                const double *low = &ring_[2 * (i > 0 ? i : ring_.size() / 2) - 2],
                             *high = &ring_[2 * i];
                if (high[1] < low[1])
                    std::swap(low, high);
                if (y < low[1] || y > high[1])
                    continue;
                if (low[1] == high[1]) {
                    on_an_edge |= std::min(low[0], high[0]) <= x && x <= std::max(low[0], high[0]);
                    continue;
                }
                const int beyond = crossing_beyond(x, y, low[0], low[1], high[0], high[1]);
                on_an_edge |= beyond == 0;
                inside ^= y > low[1] && beyond > 0;
            }
        });
        return on_an_edge ? Place::on_an_edge : inside ? Place::inside : Place::outside;
    }

    /* Returns the place of the first vertex of `ring` that lies on no edge of this one. */
    Place place_of(const Ring &ring, InterruptPoller &poller) const
    {
        Place place = Place::on_an_edge;
        for (std::size_t i = 0; place == Place::on_an_edge && i < ring.size(); i += 2)
            place = place_of(ring[i], ring[i + 1], poller);
        return place;
    }

    const Ring &ring() const noexcept { return ring_; }

  private:
    static constexpr std::size_t in_box = 16; /* edges */

    static std::vector<Extent> boxes_of(const Ring &ring)
    {
        std::vector<Extent> boxes;
        const std::size_t count = ring.size() / 2;
        boxes.reserve((count + in_box - 1) / in_box);
        for (std::size_t first = 0; first < count; first += in_box) {
            /* with the vertex before: for the first box, that is the last one */
            const std::size_t begin = first > 0 ? first - 1 : 0;
            Extent &box = boxes.emplace_back(
                ring.subspan(2 * begin, 2 * (std::min(first + in_box, count) - begin)));
            if (first == 0) {
                box.left = std::min(box.left, ring[2 * count - 2]);
                box.top = std::min(box.top, ring[2 * count - 1]);
                box.right = std::max(box.right, ring[2 * count - 2]);
                box.bottom = std::max(box.bottom, ring[2 * count - 1]);
            }
        }
        return boxes;
    }

    Ring ring_;
    BoxTree boxes_;
};

/* For a ring with all vertices on edges of `other`. If it is the same ring, the later one is
 * inside; otherwise it is inscribed or circumscribed, as the middle of some edge tells. Rings that
 * cross have no defined result. */
bool is_inside(const Ring &ring, const RingEdges &other, bool later, InterruptPoller &poller)
{
    Place place = other.place_of(ring, poller);
    if (place == Place::on_an_edge &&
        RingEdges(ring).place_of(other.ring(), poller) == Place::on_an_edge)
        return later;
    for (std::size_t i = 0, last = ring.size() - 2; place == Place::on_an_edge && i < ring.size();
         last = i, i += 2)
        place = other.place_of(ring[i] / 2 + ring[last] / 2, ring[i + 1] / 2 + ring[last + 1] / 2,
                               poller);
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

/* Orders items so that those of a node of a BoxTree are close to each other, as are the nodes of a
 * node: each half contains the leftmost or the topmost items. */
void order_by_place(std::span<std::uint32_t> order, const std::vector<Extent> &extents,
                    double Extent::*side, InterruptPoller &poller)
{
    if (order.size() <= BoxTree::size)
        return;
    poller.count(static_cast<std::int64_t>(order.size()));
    const std::size_t half = std::bit_ceil(order.size()) / 2;
    std::nth_element(
        order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end(),
        [&](std::uint32_t a, std::uint32_t b) { return extents[a].*side < extents[b].*side; });
    const auto next = side == &Extent::left ? &Extent::top : &Extent::left;
    order_by_place(order.first(half), extents, next, poller);
    order_by_place(order.subspan(half), extents, next, poller);
}

/* Returns the boxes of the rings in this order. */
BoxTree boxes_of_rings(const Polygon &polygon, std::span<std::uint32_t> order,
                       InterruptPoller &poller)
{
    std::vector<Extent> extents, in_order;
    extents.reserve(order.size());
    in_order.reserve(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        extents.emplace_back(ring_of(polygon, i));
    order_by_place(order, extents, &Extent::left, poller);
    for (const std::uint32_t i : order)
        in_order.push_back(extents[i]);
    return BoxTree(std::move(in_order));
}

} // namespace

std::vector<int> orientations(const Polygon &polygon)
{
    const std::size_t count = ring_count(polygon);
    std::vector<int> factors(count, 1);
    if (count == 1)
        return factors; /* the direction of a single ring does not matter */
    InterruptPoller poller;
    std::vector<std::uint32_t> order(count);
    std::iota(order.begin(), order.end(), std::uint32_t{0});
    const BoxTree boxes = boxes_of_rings(polygon, order, poller);
    for (std::size_t i = 0; i < count; ++i)
        if (area_of(ring_of(polygon, i)) < 0)
            factors[i] = -1;
    for (std::size_t outer = 0; outer < count; ++outer) {
        const Extent &box = boxes.items()[outer];
        std::optional<RingEdges> edges;
        poller.count(1);
        boxes.for_each_in(box, [&](std::size_t inner) {
            poller.count(1);
            if (inner == outer || !holds(box, boxes.items()[inner]))
                return;
            if (!edges)
                edges.emplace(ring_of(polygon, order[outer]));
            if (is_inside(ring_of(polygon, order[inner]), *edges, order[outer] < order[inner],
                          poller))
                factors[order[inner]] *= -1;
        });
    }
    return factors;
}

} // namespace polymask::inline POLYMASK_ABI::detail
