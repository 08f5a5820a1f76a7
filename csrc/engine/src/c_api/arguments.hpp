/* The arguments of the functions for C: conversion to those for C++, and of exceptions to a status.
 * They do not repeat the checks of the C++ functions. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "polymask/labels.hpp"
#include "polymask/polygons.hpp"
#include "polymask/polymask.h"
#include "polymask/polymask.hpp"
#include "support/checks.hpp"

namespace polymask::detail
{

int report(int status, char *error, const char *what) noexcept;

/* For a handler: returns the status of the current exception. */
int report_exception(char *error) noexcept;

template <class Work> int status_of(char *error, const Work &work) noexcept
{
    try {
        work();
        return report(POLYMASK_DONE, error, "");
    } catch (...) {
        return report_exception(error);
    }
}

/* Returns a span of `count` elements of `numbers` numbers each. */
template <class T>
std::span<T> span_of(const char *name, T *data, std::size_t count, std::size_t numbers = 1)
{
    if (data == nullptr && count > 0)
        refuse(std::string(name) + ": NULL, but the count is " + std::to_string(count));
    if (count > PTRDIFF_MAX / sizeof(T) / numbers)
        refuse(std::string(name) + ": " + std::to_string(count) + " are beyond the address space");
    return {data, count * numbers};
}

/* Returns a span of `count` + 1 offsets; the array may be missing if `count` is 0. */
template <class T> std::span<T> offsets_of(const char *name, T *data, std::size_t count)
{
    if (data == nullptr)
        return span_of(name, data, count);
    return span_of(name, data, std::max(count, count + 1)); /* SIZE_MAX stays unchanged */
}

/* Returns what a pointer refers to, which must not be NULL. */
template <class T> T &at(const char *name, T *pointer)
{
    if (pointer == nullptr)
        refuse(std::string(name) + ": NULL");
    return *pointer;
}

/* Returns a number of elements that is reported to the caller. */
inline std::size_t size_of(std::int64_t count)
{
    if (std::cmp_greater(count, PTRDIFF_MAX))
        refuse("output: " + std::to_string(count) + " elements are beyond the address space");
    return static_cast<std::size_t>(count);
}

Polygon polygon_of(const double *vertices, std::size_t vertex_count,
                   const std::int64_t *ring_starts, std::size_t ring_count);
Polygons polygons_of(const polymask_polygons *polygons);

/* The functions that have an option. */
enum : unsigned {
    of_masks = 1,
    of_points = 2,
    of_labels = 4,
    of_fractions = 8,
    of_runs = 16, /* and of counts, sums and boxes */
    of_crops = 32,
    of_mask_outlines = 64,
    of_label_outlines = 128,
};

/* Returns the given options, from any version of the struct; options not for `user` must be 0. */
polymask_options options_of(const polymask_options *source, unsigned user);

Options options_for_cpp(const polymask_options &options);
OnTop on_top_of(const polymask_options &options);

} // namespace polymask::detail
