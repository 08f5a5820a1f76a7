/* Ragged arrays of random features, and their masks by the rule. */
#pragma once

#include "polygons.hpp"
#include "polymask/polygons.hpp"
#include "polymask/touched.hpp"

namespace polymask::test
{

using Offsets = std::vector<std::int64_t>;

struct Features {
    std::vector<double> vertices;
    Offsets rings{0}, polygons{0}, features{0};

    void add_ring(const std::vector<double> &ring)
    {
        vertices.insert(vertices.end(), ring.begin(), ring.end());
        rings.push_back(static_cast<std::int64_t>(vertices.size() / 2));
    }
    void end_polygon() { polygons.push_back(static_cast<std::int64_t>(rings.size()) - 1); }
    void end_feature() { features.push_back(static_cast<std::int64_t>(polygons.size()) - 1); }
    Polygons view() const { return {vertices, rings, polygons, features}; }

    Rings polygon(std::int64_t index) const
    {
        const auto [first, end] = view().rings_of(index);
        Rings found;
        for (std::int64_t ring = first; ring < end; ++ring) {
            const auto [from, to] = view().vertices_of(ring);
            found.starts.push_back(static_cast<std::int64_t>(found.vertices.size() / 2));
            found.vertices.insert(found.vertices.end(), vertices.begin() + 2 * from,
                                  vertices.begin() + 2 * to);
        }
        return found;
    }
    /* Returns the OR of the masks of a feature's polygons. */
    Bytes mask(std::int64_t feature, std::int64_t rows, std::int64_t cols,
               const Options &options) const
    {
        Bytes all(static_cast<std::size_t>(rows * cols));
        const auto [first, end] = view().polygons_of(feature);
        for (std::int64_t index = first; index < end; ++index) {
            const Rings one = polygon(index);
            if (one.vertices.empty())
                continue;
            Bytes mask(all.size());
            if (options.touched)
                fill_touched(one.view(), options.grid(rows, cols), mask, *options.touched);
            else
                mask = rule_mask(one.view(), rows, cols, options);
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i] |= mask[i];
        }
        return all;
    }
};

inline Features random_features(Random &random, std::int64_t count, double rows, double cols)
{
    Features features;
    for (std::int64_t i = 0; i < count; ++i) {
        for (std::int64_t polygons = random.one_in(3) ? random.integer(0, 3) : 1; polygons > 0;
             --polygons) {
            for (std::int64_t rings = random.one_in(4) ? random.integer(0, 3) : 1; rings > 0;
                 --rings) {
                const Kind kind = all_kinds[random.integer(0, std::size(all_kinds) - 1)];
                features.add_ring(polygon(random, kind, random.integer(3, 12), rows, cols));
            }
            features.end_polygon();
        }
        features.end_feature();
    }
    return features;
}

inline Options random_options(Random &random)
{
    Options options;
    options.center = random.one_in(2);
    options.border = border_of(random.one_in(2));
    options.watertight = random.one_in(2);
    if (random.one_in(3))
        options.border = Border::half_open;
    if (random.one_in(2)) {
        options.row_offset = random.integer(-9, 9);
        options.column_offset = random.integer(-9, 9);
    }
    return options;
}

/* Returns random options, including those only for many polygons. */
inline Options random_feature_options(Random &random)
{
    Options options = random_options(random);
    if (random.one_in(3))
        options.touched = random.one_in(2) ? Squares::closed : Squares::open;
    return options;
}

} // namespace polymask::test
