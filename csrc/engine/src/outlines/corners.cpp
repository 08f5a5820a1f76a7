/* Conversion of linked corners to rings, and the output of the rings. */

#include <utility>

#include "outlines/corners.hpp"
#include "polymask/interruption.hpp"
#include "support/array.hpp"
#include "support/checks.hpp"
#include "support/processor.hpp"

namespace polymask::inline POLYMASK_ABI
{

namespace
{

using namespace detail;

struct Place {
    std::int32_t x, y;
};

/* Corners that follow each other on a ring, and the next segment on the ring. */
struct Segment {
    std::uint32_t first, size; /* its places */
    std::uint32_t next;
    std::uint32_t part; /* the number of the set of pixels connected by their sides */
};

struct Ring {
    std::uint32_t segment, part; /* `segment` begins with the first corner of the ring */
};

} // namespace

struct TracedOutlines::Parts {
    std::int64_t vertices = 0;
    Array<Place> places; /* of the corners */
    std::vector<Segment> segments;
    std::vector<Ring> rings; /* in the order of the output */
    std::vector<std::int64_t> polygon_offsets, labels;
    double x_shift, y_shift;
};

namespace
{

/* Returns the polygon number of each part; numbers are ordered by the polygons' first parts. */
std::vector<std::uint32_t> polygons_of_parts(const Corners &corners,
                                             const std::vector<std::uint32_t> &meetings,
                                             const std::vector<std::uint32_t> &part_of,
                                             std::uint32_t parts, Connectivity connectivity,
                                             std::uint32_t &polygons)
{
    Unions united;
    for (std::uint32_t part = 0; part < parts; ++part)
        united.add();
    if (connectivity == Connectivity::corners)
        for (const std::uint32_t v : meetings)
            united.unite(part_of[corners[v].component], part_of[corners[v + 1].component]);
    return std::move(united).numbered(polygons);
}

/* Follows the links from corner to corner, and records the corners' places. Links are scattered in
 * memory, so several cursors advance at once: while one waits for its corner, the others proceed.
 * Each begins at the first corner that has not been visited, and continues up to a visited one: a
 * segment begins there, as only one link leads to a corner. Overwrites the components of the
 * corners: no_index marks a visited corner; the first corner of a segment has the segment's number
 * as its link. */
std::vector<Segment> walk(Corners &corners, const std::vector<std::uint32_t> &part_of,
                          Array<Place> &places)
{
    constexpr std::uint32_t cursors = 8,
                            chunk = 512; /* places, as the number needed by a cursor is unknown */
    static_assert(most_corners + cursors * chunk < no_index);
    struct Cursor {
        std::uint32_t corner = 0, segment = 0, place = 0, end = 0;
    };
    places = uninitialized<Place>(std::size_t{corners.size()} + cursors * chunk);
    std::vector<Segment> segments;
    std::uint32_t untaken = 0, chunks_end = 0;

    const auto take = [&](Cursor &cursor, std::uint32_t link) {
        Corner &corner = corners[cursor.corner];
        places[cursor.place++] = {static_cast<std::int32_t>(corner.x),
                                  static_cast<std::int32_t>(corner.y)};
        corner.component = no_index;
        cursor.corner = std::exchange(corner.next, link);
        prefetch_to_write(&corners[cursor.corner]);
    };
    const auto begin = [&](Cursor &cursor) {
        if (cursor.place == cursor.end) {
            Interruption::stop_if_asked();
            cursor.place = chunks_end;
            cursor.end = chunks_end += chunk;
        }
        cursor.segment = static_cast<std::uint32_t>(segments.size());
        segments.push_back({cursor.place, 0, no_index, part_of[corners[cursor.corner].component]});
        take(cursor, cursor.segment);
    };
    const auto begin_anywhere = [&](Cursor &cursor) {
        while (untaken < corners.size() && corners[untaken].component == no_index)
            ++untaken;
        if (untaken == corners.size())
            return false;
        cursor.corner = untaken;
        begin(cursor);
        return true;
    };
    const auto end = [&](const Cursor &cursor, std::uint32_t next) {
        Segment &segment = segments[cursor.segment];
        segment.size = cursor.place - segment.first;
        segment.next = next;
    };
    const auto step = [&](Cursor &cursor) {
        const Corner &corner = corners[cursor.corner];
        if (corner.component == no_index) {
            end(cursor, corner.next);
            return begin_anywhere(cursor);
        }
        if (cursor.place == cursor.end) {
            end(cursor, static_cast<std::uint32_t>(segments.size()));
            begin(cursor);
        } else {
            take(cursor, corner.next);
        }
        return true;
    };

    Cursor all[cursors];
    std::uint32_t active = 0;
    while (active < cursors && begin_anywhere(all[active]))
        ++active;
    while (active > 0)
        for (std::uint32_t i = 0; i < active;)
            if (step(all[i]))
                ++i;
            else
                all[i] = all[--active];
    return segments;
}

/* Returns the rings of the segments, ordered by first corners. Consumes the segments' parts. */
std::vector<Ring> rings_of(std::vector<Segment> &segments)
{
    std::vector<Ring> rings;
    for (std::uint32_t first = 0; first < segments.size(); ++first) {
        if (segments[first].part == no_index)
            continue;
        rings.push_back({first, segments[first].part});
        for (std::uint32_t i = first; segments[i].part != no_index; i = segments[i].next)
            segments[i].part = no_index;
    }
    return rings;
}

/* Sorts items 0 .. size - 1 by key(item) < keys, stably: starts[k] is the first item with key k. */
template <class Key>
std::vector<std::uint32_t> sorted_by(std::size_t size, std::uint32_t keys, const Key &key,
                                     std::vector<std::int64_t> &starts)
{
    starts.assign(std::size_t{keys} + 1, 0);
    for (std::size_t i = 0; i < size; ++i)
        ++starts[key(i) + 1];
    for (std::size_t k = 0; k < keys; ++k)
        starts[k + 1] += starts[k];
    std::vector<std::int64_t> place(starts.begin(), starts.end() - 1);
    std::vector<std::uint32_t> order(size);
    for (std::size_t i = 0; i < size; ++i)
        order[static_cast<std::size_t>(place[key(i)]++)] = static_cast<std::uint32_t>(i);
    return order;
}

} // namespace

TracedOutlines detail::outlines_of(LinkedCorners &linked, const OutlineOptions &options)
{
    Corners &corners = linked.corners;
    std::uint32_t parts = 0;
    const std::vector<std::uint32_t> part_of = std::move(linked.components).numbered(parts);
    const auto part_at = [&](std::uint32_t v) { return part_of[corners[v].component]; };

    /* If two pixels of one part meet at a corner, the part surrounds one of the other two pixels:
     * the ring of the hole and the outer ring must not become one ring that touches itself. */
    for (const std::uint32_t v : linked.meetings)
        if (part_at(v) == part_at(v + 1))
            std::swap(corners[v].next, corners[v + 1].next);

    std::uint32_t polygons = 0;
    const std::vector<std::uint32_t> polygon_of =
        polygons_of_parts(corners, linked.meetings, part_of, parts, options.connectivity, polygons);
    std::vector<std::uint32_t>().swap(linked.meetings);

    auto traced = std::make_unique<TracedOutlines::Parts>();
    traced->labels.resize(polygons);
    for (std::size_t i = part_of.size(); i-- > 0;) /* components of a polygon share its label */
        traced->labels[polygon_of[part_of[i]]] = static_cast<std::int64_t>(linked.labels[i]);

    /* By parts first, as the first ring of a part is its outer ring; then by polygons. */
    traced->segments = walk(corners, part_of, traced->places);
    const std::vector<Ring> rings = rings_of(traced->segments);
    traced->vertices = corners.size();
    corners = Corners(); /* frees memory for the next steps */
    std::vector<std::int64_t> starts;
    std::vector<std::uint32_t> order =
        sorted_by(rings.size(), parts, [&](std::size_t i) { return rings[i].part; }, starts);
    const auto polygon_at = [&](std::size_t i) { return polygon_of[rings[order[i]].part]; };
    const std::vector<std::uint32_t> by_polygon =
        sorted_by(rings.size(), polygons, polygon_at, traced->polygon_offsets);
    traced->rings.reserve(rings.size());
    for (const std::uint32_t i : by_polygon)
        traced->rings.push_back(rings[order[i]]);

    const double half = options.center ? 0 : 0.5;
    traced->x_shift = static_cast<double>(options.column_offset) - half;
    traced->y_shift = static_cast<double>(options.row_offset) - half;
    return TracedOutlines(std::move(traced));
}

TracedOutlines::TracedOutlines() noexcept = default;
TracedOutlines::TracedOutlines(TracedOutlines &&) noexcept = default;
TracedOutlines &TracedOutlines::operator=(TracedOutlines &&) noexcept = default;
TracedOutlines::~TracedOutlines() = default;
TracedOutlines::TracedOutlines(std::unique_ptr<Parts> parts) noexcept : parts_(std::move(parts)) {}

std::int64_t TracedOutlines::vertices() const noexcept
{
    return parts_ ? parts_->vertices : 0;
}

std::int64_t TracedOutlines::rings() const noexcept
{
    return parts_ ? static_cast<std::int64_t>(parts_->rings.size()) : 0;
}

std::int64_t TracedOutlines::polygons() const noexcept
{
    return parts_ ? static_cast<std::int64_t>(parts_->labels.size()) : 0;
}

void TracedOutlines::write(std::span<double> vertices, std::span<std::int64_t> ring_offsets,
                           std::span<std::int64_t> polygon_offsets,
                           std::span<std::int64_t> labels) const
{
    detail::check_size("vertices", vertices.size(), 2 * this->vertices(), "numbers");
    detail::check_size("ring_offsets", ring_offsets.size(), rings() + 1, "offsets");
    detail::check_size("polygon_offsets", polygon_offsets.size(), polygons() + 1, "offsets");
    detail::check_size("labels", labels.size(), polygons(), "labels");
    ring_offsets[0] = polygon_offsets[0] = 0;
    if (!parts_)
        return;
    std::size_t at = 0, ring_number = 0;
    for (const Ring &ring : parts_->rings) {
        std::uint32_t i = ring.segment;
        do {
            const Segment &segment = parts_->segments[i];
            const Place *const places = parts_->places.get() + segment.first;
            for (std::uint32_t k = 0; k < segment.size; ++k) {
                vertices[at++] = places[k].x + parts_->x_shift;
                vertices[at++] = places[k].y + parts_->y_shift;
            }
            i = segment.next;
        } while (i != ring.segment);
        ring_offsets[++ring_number] = static_cast<std::int64_t>(at / 2);
    }
    std::copy(parts_->polygon_offsets.begin(), parts_->polygon_offsets.end(),
              polygon_offsets.begin());
    std::copy(parts_->labels.begin(), parts_->labels.end(), labels.begin());
}

} // namespace polymask::inline POLYMASK_ABI
