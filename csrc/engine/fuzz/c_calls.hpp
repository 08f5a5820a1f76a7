/* Calls of the functions for C, compared with those for C++: the arguments and the outcomes. */
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "for_c.hpp"
#include "scenes.hpp"
#include "support/checks.hpp"

namespace polymask::fuzz
{

/* The outcome of a call to C++: its status in C, and the message. */
struct Outcome {
    int status = POLYMASK_DONE;
    std::string words;
};

inline Outcome outcome(const std::function<void()> &call)
{
    try {
        call();
        return {};
    } catch (const detail::TooSmall &error) {
        return {POLYMASK_TOO_SMALL, error.what()};
    } catch (const std::invalid_argument &error) {
        return {POLYMASK_INVALID, error.what()};
    } catch (const std::bad_alloc &) {
        return {POLYMASK_OUT_OF_MEMORY, "work memory cannot be allocated"};
    } catch (const std::runtime_error &error) {
        return {POLYMASK_UNAVAILABLE, error.what()};
    }
}

/* Options as a program passes them: a block with the given number of bytes, or NULL. */
class Given
{
  public:
    Given(Input &input, const polymask_options &wanted) : options_(wanted)
    {
        constexpr std::size_t before = offsetof(polymask_options, row_offset),
                              numbers = (sizeof options_ - before) / sizeof(std::int32_t);
        if (input.one_in(4)) { /* any number in any field, or in half of a field of 64 bits */
            const std::size_t at = before + sizeof(std::int32_t) * (input.byte() % numbers);
            const auto number = static_cast<std::int32_t>(any_integer(input));
            std::memcpy(reinterpret_cast<unsigned char *>(&options_) + at, &number, sizeof number);
        }
        if (input.one_in(16)) {
            options_ = {};
            return;
        }
        if (input.one_in(8)) /* the size in another version, or in none */
            options_.size = input.one_in(4) ? input.raw<std::size_t>() | 0x2000
                                            : input.byte() % (sizeof options_ + 24);
        const std::size_t size = options_.size;
        const bool has_size = size >= sizeof size && size < 0x2000;
        block_size_ = has_size ? size : sizeof options_;
        block_ = std::make_unique<unsigned char[]>(block_size_);
        std::memcpy(block_.get(), &options_, std::min(block_size_, sizeof options_));
        bool more = false;
        for (std::size_t i = sizeof options_; i < block_size_; ++i) {
            block_[i] = input.one_in(16);
            more |= block_[i] != 0;
        }
        is_refused_ = !has_size || more;
        if (has_size && size < sizeof options_)
            std::memset(reinterpret_cast<unsigned char *>(&options_) + size, 0,
                        sizeof options_ - size);
    }
    const polymask_options *pointer() const
    {
        return reinterpret_cast<const polymask_options *>(block_.get());
    }
    /* Returns the fields as received: missing fields of a smaller struct are 0. */
    const polymask_options &fields() const { return options_; }
    /* Returns whether the size or the bytes after the fields are rejected. */
    bool is_refused() const { return is_refused_; }

  private:
    polymask_options options_;
    std::unique_ptr<unsigned char[]> block_; /* not a vector, which may allocate more bytes */
    std::size_t block_size_ = 0;
    bool is_refused_ = false;
};

enum class Function {
    mask,
    points,
    labels,
    fractions,
    runs, /* or counts, sums, boxes */
    crops,
    mask_outlines,
    label_outlines,
};

/* Returns the fields that the function uses, and 0 in the others. */
inline polymask_options known_to(Function function, const polymask_options &all)
{
    const auto is = [&](auto... any) { return ((function == any) || ...); };
    using enum Function;
    polymask_options known = {};
    known.size = all.size;
    if (!is(points)) {
        known.row_offset = all.row_offset;
        known.column_offset = all.column_offset;
        known.center = all.center;
    }
    if (!is(points, runs, crops))
        known.row_stride = all.row_stride;
    if (is(mask, points, labels, runs, crops)) {
        known.border = all.border;
        known.watertight = all.watertight;
        known.threads = all.threads;
    }
    if (is(labels, runs, crops))
        known.touched = all.touched;
    if (known.touched != 0)
        known.border = known.watertight = 0;
    if (is(mask, labels, fractions, runs, crops))
        known.instruction_set = all.instruction_set;
    if (is(mask, labels, fractions, crops))
        known.out_is_zero = all.out_is_zero;
    if (is(mask))
        known.stores = all.stores;
    if (is(labels, label_outlines))
        known.background = all.background;
    if (is(labels)) {
        known.on_top = all.on_top;
        known.keeps_background = all.keeps_background;
        known.adds = all.adds;
    }
    if (is(fractions))
        known.subpixels = all.subpixels;
    if (is(mask_outlines, label_outlines))
        known.joins_corners = all.joins_corners;
    return known;
}

inline bool same_fields(const polymask_options &a, const polymask_options &b)
{
    constexpr std::size_t before = offsetof(polymask_options, row_offset);
    return std::memcmp(reinterpret_cast<const unsigned char *>(&a) + before,
                       reinterpret_cast<const unsigned char *>(&b) + before,
                       sizeof a - before) == 0;
}

inline bool has_enumerators(const polymask_options &of)
{
    const auto is_one = [](std::int32_t value, int last) { return value >= 0 && value <= last; };
    return is_one(of.border, POLYMASK_BORDER_HALF_OPEN) &&
           is_one(of.instruction_set, POLYMASK_ISA_NEON) &&
           is_one(of.stores, POLYMASK_STORES_STREAMING) &&
           is_one(of.on_top, POLYMASK_ON_TOP_SMALLEST) && is_one(of.touched, POLYMASK_TOUCHED_OPEN);
}

inline Options for_cpp(const polymask_options &from)
{
    Options options;
    options.border = static_cast<Border>(from.border);
    options.center = from.center != 0;
    options.watertight = from.watertight != 0;
    options.out_is_zero = from.out_is_zero != 0;
    options.row_offset = from.row_offset;
    options.column_offset = from.column_offset;
    options.row_stride = from.row_stride;
    options.threads = from.threads;
    options.instruction_set = static_cast<InstructionSet>(from.instruction_set);
    options.stores = static_cast<Stores>(from.stores);
    if (from.touched != 0)
        options.touched = static_cast<Squares>(from.touched - 1);
    return options;
}

/* The arrays of a call; one of them may be NULL, or have more elements than memory. */
class Arrays
{
  public:
    explicit Arrays(Input &input)
        : broken_(input.one_in(8) ? input.byte() % 8 : -1), is_null_(input.flag()),
          too_many_(~std::size_t{0} - input.byte())
    {
    }
    /* Returns the next array: its pointer and its count as passed to the function. */
    template <class T> std::pair<T *, std::size_t> next(T *data, std::size_t count)
    {
        if (number_++ != broken_)
            return {data, count};
        if (!is_null_) {
            is_refused_ = true;
            return {data, too_many_};
        }
        is_refused_ |= count > 0;
        return {nullptr, count};
    }
    bool is_refused() const { return is_refused_; }

  private:
    int number_ = 0, broken_;
    bool is_null_;
    std::size_t too_many_;
    bool is_refused_ = false;
};

/* Returns features with these arrays; trivial offsets may be NULL. */
inline polymask_polygons polygons_for_c(Input &input, Arrays &arrays,
                                        const test::Features &features)
{
    polymask_polygons polygons = test::for_c(features);
    const auto is_trivial = [](const test::Offsets &offsets) {
        for (std::size_t i = 0; i < offsets.size(); ++i)
            if (offsets[i] != static_cast<std::int64_t>(i))
                return false;
        return true;
    };
    if (is_trivial(features.features) && input.one_in(4)) {
        polygons.feature_offsets = nullptr;
        polygons.feature_count = 0;
    }
    if (is_trivial(features.polygons) && input.one_in(4)) {
        polygons.polygon_offsets = nullptr;
        polygons.polygon_count = 0;
    }
    std::tie(polygons.vertices, polygons.vertex_count) =
        arrays.next(polygons.vertices, polygons.vertex_count);
    std::tie(polygons.ring_offsets, polygons.ring_count) =
        arrays.next(polygons.ring_offsets, polygons.ring_count);
    return polygons;
}

/* Returns the outcome of the function for C, whose error may be NULL, and is one line. */
inline Outcome called(Input &input, const std::function<int(char *)> &call)
{
    char text[POLYMASK_ERROR_SIZE + 1];
    std::memset(text, '\n', sizeof text);
    if (input.one_in(8))
        return {call(nullptr), "?"};
    const int status = call(text);
    require(text[POLYMASK_ERROR_SIZE] == '\n', "nothing is written after the error");
    require(std::memchr(text, 0, POLYMASK_ERROR_SIZE) != nullptr, "an error ends with a zero");
    const std::string words = text;
    require(std::all_of(words.begin(), words.end(), [](char c) { return c >= ' ' && c <= '~'; }),
            "an error is a line in ASCII");
    require(words.empty() == (status == POLYMASK_DONE), "an error has words: ", words);
    return {status, words};
}

/* Compares two outcomes. `refused`: only C rejects the call, with its own message. */
inline void compare(const char *name, const Outcome &found, const Outcome &wanted, bool refused)
{
    const int status = refused ? int{POLYMASK_INVALID} : wanted.status;
    require(found.status == status, name, ": status ", found.status, " (", found.words,
            "), wanted ", status, " (", wanted.words, ")");
    if (!refused && found.words != "?")
        require(found.words == wanted.words.substr(0, POLYMASK_ERROR_SIZE - 1), name, ": ",
                found.words, ", wanted ", wanted.words);
}

/* A call of both functions on copies of `out`, whose results must be equal. `is_refused`: C rejects
 * the options. */
template <class Out, class OfC, class OfCpp>
void call_both(const char *name, Input &input, bool is_refused, const Arrays &arrays, Out out,
               const OfC &of_c, const OfCpp &of_cpp)
{
    const Out before = out;
    Out by_cpp = out;
    const Outcome found = called(input, [&](char *error) { return of_c(out, error); });
    const bool refused = is_refused || arrays.is_refused();
    const Outcome right = refused ? Outcome{} : outcome([&] { of_cpp(by_cpp); });
    compare(name, found, right, refused);
    const bool is_written = found.status == POLYMASK_DONE || found.status == POLYMASK_TOO_SMALL;
    require(out == (is_written ? by_cpp : before), name, " and C++, or the old content, status ",
            found.status);
}

} // namespace polymask::fuzz
