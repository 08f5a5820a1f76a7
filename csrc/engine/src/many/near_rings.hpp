#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "polymask/polygons.hpp"
#include "support/array.hpp"

namespace polymask::detail
{

/* Features in an order in which their vertices are scattered in memory. Small ones are copied, some
 * at a time: the loads of one copy do not wait for those of another, as they would between scans.
 */
class NearRings
{
  public:
    /* Calls visit(feature, polygons, index) for each feature, which is feature `index` of those
     * polygons: a copy, or the original ones. Throws std::bad_alloc. */
    template <class Feature, class Visit>
    void visit(const Polygons &polygons, std::span<const Feature> features, Visit visit)
    {
        for (std::size_t first = 0; first < features.size(); first += most) {
            const auto some = features.subspan(first, std::min(most, features.size() - first));
            copy(polygons, some);
            const double *vertex = vertices_.get();
            for (std::size_t i = 0; i < some.size(); ++i) {
                const std::int64_t ends[] = {0, counts_[i]};
                const std::span vertices(vertex, 2 * static_cast<std::size_t>(counts_[i]));
                vertex += vertices.size();
                if (vertices.empty())
                    visit(some[i], polygons, std::int64_t{some[i]});
                else
                    visit(some[i], Polygons{vertices, ends}, std::int64_t{0});
            }
        }
    }

  private:
    static constexpr std::size_t most = 128; /* features, in up to 32 KiB */
    static constexpr std::int64_t most_vertices = 16;

    template <class Feature> void copy(const Polygons &polygons, std::span<const Feature> features)
    {
        double *copy = vertices_.room_for(most * 2 * most_vertices);
        for (std::size_t i = 0; i < features.size(); ++i) {
            const auto [first, end] = small_ring_of(polygons, std::int64_t{features[i]});
            counts_[i] = end - first;
            copy = std::copy_n(polygons.vertices.data() + 2 * first, 2 * counts_[i], copy);
        }
    }

    /* Returns the vertices of a feature that consists of one small ring, else none. */
    static Polygons::Range small_ring_of(const Polygons &polygons, std::int64_t feature) noexcept
    {
        const Polygons::Range none = {0, 0}, of_feature = polygons.polygons_of(feature);
        if (of_feature.size() != 1)
            return none;
        const Polygons::Range rings = polygons.rings_of(of_feature.first);
        if (rings.size() != 1)
            return none;
        const Polygons::Range ring = polygons.vertices_of(rings.first);
        return ring.size() <= most_vertices ? ring : none;
    }

    Scratch<double> vertices_;
    std::array<std::int64_t, most> counts_;
};

} // namespace polymask::detail
