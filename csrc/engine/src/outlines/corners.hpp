/* The corners of outlines, each linked to the next, and the rings that they form. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "polymask/outlines.hpp"
#include "polymask/runs.hpp"

namespace polymask::inline POLYMASK_ABI::detail
{

constexpr std::uint32_t no_index = 0xffffffff;
constexpr std::uint32_t most_corners = 0xffff0000;

/* A vertex of a ring. Its component is a preliminary number of the region; several are united. */
struct Corner {
    std::uint32_t x, y, next, component;
};

/* All corners, row by row, and from left to right in a row. Uses realloc, which moves pages instead
 * of copying them if the system supports it. */
class Corners
{
  public:
    Corner &operator[](std::uint32_t i) noexcept { return all_[i]; }
    const Corner &operator[](std::uint32_t i) const noexcept { return all_[i]; }
    std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(size_); }

    void make_room(std::size_t more)
    {
        if (capacity_ - size_ >= more)
            return;
        if (size_ + more > most_corners)
            throw std::length_error(
                "the outlines have more than 2^32 - 2^16 corners: trace windows of the image");
        const std::size_t capacity = std::max({size_ + more, 2 * capacity_, std::size_t{1024}});
        void *const larger = std::realloc(all_.get(), capacity * sizeof(Corner));
        if (larger == nullptr)
            throw std::bad_alloc();
        static_cast<void>(all_.release()); /* realloc has freed it */
        all_.reset(static_cast<Corner *>(larger));
        capacity_ = capacity;
    }
    /* Adds a corner, for which there must be room. */
    std::uint32_t add(std::uint32_t x, std::uint32_t y, std::uint32_t component) noexcept
    {
        all_[size_] = {x, y, no_index, component};
        return static_cast<std::uint32_t>(size_++);
    }

  private:
    struct Free {
        void operator()(Corner *corners) const noexcept { std::free(corners); }
    };
    std::unique_ptr<Corner[], Free> all_;
    std::size_t size_ = 0, capacity_ = 0;
};

/* Numbers, some of which are found to be equivalent; a set's smallest number represents it. */
class Unions
{
  public:
    std::uint32_t add()
    {
        const auto number = static_cast<std::uint32_t>(parent_.size());
        parent_.push_back(number);
        return number;
    }
    void unite(std::uint32_t a, std::uint32_t b) noexcept
    {
        a = find(a), b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }
    std::size_t size() const noexcept { return parent_.size(); }
    /* Numbers the sets from 0, by their smallest members; returns the set number of each member. */
    std::vector<std::uint32_t> numbered(std::uint32_t &count) &&
    {
        count = 0;
        for (std::uint32_t i = 0; i < parent_.size(); ++i) /* a parent is smaller or equal */
            parent_[i] = parent_[i] == i ? count++ : parent_[parent_[i]];
        return std::move(parent_);
    }

  private:
    std::uint32_t find(std::uint32_t a) noexcept
    {
        while (parent_[a] != a)
            a = parent_[a] = parent_[parent_[a]];
        return a;
    }
    std::vector<std::uint32_t> parent_;
};

/* The result of a sweep. */
struct LinkedCorners {
    Corners corners;
    /* The first of two corners at one place, where two pixels with one label meet at a corner. */
    std::vector<std::uint32_t> meetings;
    Unions components;
    std::vector<std::uint64_t> labels; /* of components */
};

/* Converts the linked corners to outlines, and consumes them. */
TracedOutlines outlines_of(LinkedCorners &linked, const OutlineOptions &options);

/* Returns the outlines of a mask given by one or more runs, sorted by row and start, which do not
 * touch. The cost is proportional to the runs. Throws as mask_to_rings does for the smallest box
 * with the mask. */
Outlines outlines_of_runs(std::span<const Run> runs);

} // namespace polymask::inline POLYMASK_ABI::detail
