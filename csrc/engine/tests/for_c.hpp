/* Arguments of the functions for C, converted from those for C++. */
#pragma once

#include "features.hpp"
#include "polymask/outlines.hpp"
#include "polymask/polymask.h"

namespace polymask::test
{

inline polymask_options defaults()
{
    polymask_options options = {};
    options.size = sizeof options;
    return options;
}

inline polymask_options for_c(const Options &from)
{
    polymask_options options = defaults();
    options.row_offset = from.row_offset;
    options.column_offset = from.column_offset;
    options.row_stride = from.row_stride;
    options.center = from.center ? -7 : 0; /* a flag */
    options.out_is_zero = from.out_is_zero;
    options.instruction_set = static_cast<std::int32_t>(from.instruction_set);
    options.threads = from.threads;
    options.stores = static_cast<std::int32_t>(from.stores);
    if (from.touched) {
        options.touched =
            *from.touched == Squares::open ? POLYMASK_TOUCHED_OPEN : POLYMASK_TOUCHED_CLOSED;
    } else {
        options.border = static_cast<std::int32_t>(from.border);
        options.watertight = from.watertight;
    }
    return options;
}

inline polymask_options for_c(const OutlineOptions &from)
{
    polymask_options options = defaults();
    options.row_offset = from.row_offset;
    options.column_offset = from.column_offset;
    options.center = from.center;
    options.joins_corners = from.connectivity == Connectivity::corners;
    return options;
}

inline polymask_polygons for_c(const Features &from)
{
    return {from.vertices.data(),  from.vertices.size() / 2, from.rings.data(),
            from.rings.size() - 1, from.polygons.data(),     from.polygons.size() - 1,
            from.features.data(),  from.features.size() - 1};
}

} // namespace polymask::test
