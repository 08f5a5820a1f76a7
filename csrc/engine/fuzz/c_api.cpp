/* The functions for C give the same results as those for C++, reject the same input with the same
 * messages, and reject pointers, counts and options that C++ does not have. */

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
#include "polymask/coverage.hpp"
#include "polymask/labels.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

using test::Bytes;

/* The outcome of a call to C++: its status in C, and the message. */
struct Outcome {
    int status = POLYMASK_DONE;
    std::string words;
};

Outcome outcome(const std::function<void()> &call)
{
    try {
        call();
        return {};
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

enum class Function { mask, points, labels, fractions };

/* Returns the fields that the function uses, and 0 in the others. */
polymask_options known_to(Function function, const polymask_options &all)
{
    polymask_options known = {};
    known.size = all.size;
    if (function != Function::points) {
        known.row_offset = all.row_offset;
        known.column_offset = all.column_offset;
        known.row_stride = all.row_stride;
        known.center = all.center;
        known.out_is_zero = all.out_is_zero;
        known.instruction_set = all.instruction_set;
    }
    if (function != Function::fractions) {
        known.border = all.border;
        known.watertight = all.watertight;
        known.threads = all.threads;
    }
    if (function == Function::mask)
        known.stores = all.stores;
    if (function == Function::labels) {
        known.on_top = all.on_top;
        known.background = all.background;
        known.keeps_background = all.keeps_background;
        known.adds = all.adds;
    }
    if (function == Function::fractions)
        known.subpixels = all.subpixels;
    return known;
}

bool same_fields(const polymask_options &a, const polymask_options &b)
{
    constexpr std::size_t before = offsetof(polymask_options, row_offset);
    return std::memcmp(reinterpret_cast<const unsigned char *>(&a) + before,
                       reinterpret_cast<const unsigned char *>(&b) + before,
                       sizeof a - before) == 0;
}

bool has_enumerators(const polymask_options &of)
{
    const auto is_one = [](std::int32_t value, int last) { return value >= 0 && value <= last; };
    return is_one(of.border, POLYMASK_BORDER_HALF_OPEN) &&
           is_one(of.instruction_set, POLYMASK_ISA_NEON) &&
           is_one(of.stores, POLYMASK_STORES_STREAMING) &&
           is_one(of.on_top, POLYMASK_ON_TOP_SMALLEST);
}

Options for_cpp(const polymask_options &from)
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

/* Returns the outcome of the function for C, whose error may be NULL, and is one line. */
Outcome called(Input &input, const std::function<int(char *)> &call)
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
void compare(const char *name, const Outcome &found, const Outcome &wanted, bool refused)
{
    const int status = refused ? int{POLYMASK_INVALID} : wanted.status;
    require(found.status == status, name, ": status ", found.status, " (", found.words,
            "), wanted ", status, " (", wanted.words, ")");
    if (!refused && found.words != "?")
        require(found.words == wanted.words.substr(0, POLYMASK_ERROR_SIZE - 1), name, ": ",
                found.words, ", wanted ", wanted.words);
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask;
    using namespace polymask::fuzz;
    Input input(data, size);
    const auto function = static_cast<Function>(input.byte() % 4);
    Area area = fuzz::area(input, function == Function::fractions ? 50 : 63);
    Options how = fuzz::options(input, area);
    how.out_is_zero = input.flag();
    how.row_stride = input.flag() ? area.cols + input.integer(0, 9) : 0;
    polymask_options wanted = test::for_c(how);
    wanted.on_top = input.byte() % 3;
    wanted.background = input.byte();
    wanted.keeps_background = input.flag();
    wanted.adds = input.flag();
    wanted.subpixels = input.one_in(4) ? input.byte() % 4 : 0;
    if (!input.one_in(16))
        wanted = known_to(function, wanted);
    const Given given(input, wanted);
    const polymask_options &options = given.fields();
    Arrays arrays(input);

    const std::int64_t rows = input.one_in(16) ? any_integer(input) : area.rows,
                       cols = input.one_in(16) ? any_integer(input) : area.cols;
    const bool is_small = rows >= 0 && cols >= 0 && (cols == 0 || rows <= 8192 / cols);
    std::size_t elements = static_cast<std::size_t>(input.integer(0, 300));
    if (is_small && !input.one_in(16)) {
        const std::int64_t pitch = options.row_stride >= cols && options.row_stride < cols + 99
                                       ? options.row_stride
                                       : cols;
        elements = static_cast<std::size_t>(rows > 0 && cols > 0 ? (rows - 1) * pitch + cols : 0);
    }
    const bool any_bits = input.one_in(4);
    const bool is_other = !same_fields(options, known_to(function, options));
    const bool is_refused = given.is_refused() || is_other || !has_enumerators(options);
    const Options cpp = for_cpp(is_refused ? polymask_options{} : options);

    test::Rings rings = fuzz::rings(input, area, {.any_bits = any_bits});
    if (input.one_in(16))
        rings.starts = any_offsets(input, static_cast<std::int64_t>(rings.vertices.size() / 2));
    if (input.one_in(16))
        rings.vertices.resize(2 * (input.byte() % 4));
    const auto call_polygon = [&](auto &&call) {
        const auto [vertices, vertex_count] =
            arrays.next(rings.vertices.data(), rings.vertices.size() / 2);
        const auto [starts, ring_count] = arrays.next(rings.starts.data(), rings.starts.size());
        return call(vertices, vertex_count, starts, ring_count);
    };
    /* Calls both on copies of `out`, and compares. */
    const auto both = [&](const char *name, auto out, auto &&of_c, auto &&of_cpp) {
        const auto before = out;
        auto by_cpp = out;
        const Outcome found = called(input, [&](char *error) { return of_c(out, error); });
        const bool refused = is_refused || arrays.is_refused();
        const Outcome right = refused ? Outcome{} : outcome([&] { of_cpp(by_cpp); });
        compare(name, found, right, refused);
        const bool is_done = found.status == POLYMASK_DONE;
        require(out == (is_done ? by_cpp : before), name, " and C++, or the old content, status ",
                found.status);
    };
    switch (function) {
    case Function::mask:
        both(
            "polymask_fill_mask", test::Bytes(elements, cpp.out_is_zero ? 0 : 0xa5),
            [&](auto &out, char *error) {
                return call_polygon([&](auto... polygon) {
                    const auto [bytes, count] = arrays.next(out.data(), out.size());
                    return polymask_fill_mask(polygon..., rows, cols, bytes, count, given.pointer(),
                                              error);
                });
            },
            [&](auto &out) {
                fill_mask(rings.view(), cpp.grid(rows, cols), out, cpp.rule(), cpp.output(),
                          cpp.work());
            });
        break;
    case Function::points: {
        const auto points = ring(input, area, {.any_bits = any_bits});
        both(
            "polymask_contains", test::Bytes(points.size() / 2, 0xa5),
            [&](auto &out, char *error) {
                return call_polygon([&](auto... polygon) {
                    const auto [pairs, count] = arrays.next(points.data(), out.size());
                    return polymask_contains(polygon..., pairs, count, out.data(), given.pointer(),
                                             error);
                });
            },
            [&](auto &out) { contains(rings.view(), points, out, cpp.rule(), cpp.work()); });
        break;
    }
    case Function::labels: {
        const test::Features features = fuzz::features(input, area, {.any_bits = any_bits});
        const auto count = static_cast<std::size_t>(features.view().features());
        const bool has_labels = input.flag();
        std::vector<std::int32_t> labels;
        for (std::size_t f = input.one_in(16); has_labels && f < count; ++f)
            labels.push_back(input.raw<std::int32_t>());
        const Labels<std::int32_t> paint = {labels, options.background,
                                            options.keeps_background != 0, options.adds != 0};
        both(
            "polymask_fill_labels", std::vector<std::int32_t>(elements, cpp.out_is_zero ? 0 : 77),
            [&](auto &out, char *error) {
                polymask_polygons polygons = test::for_c(features);
                std::tie(polygons.vertices, polygons.vertex_count) =
                    arrays.next(polygons.vertices, polygons.vertex_count);
                std::tie(polygons.ring_offsets, polygons.ring_count) =
                    arrays.next(polygons.ring_offsets, polygons.ring_count);
                const auto [numbers, label_count] = arrays.next(labels.data(), labels.size());
                const auto [pixels, pixel_count] = arrays.next(out.data(), out.size());
                return polymask_fill_labels(&polygons, numbers, label_count, rows, cols, pixels,
                                            pixel_count, given.pointer(), error);
            },
            [&](auto &out) {
                fill_labels<std::int32_t>(features.view(), cpp.grid(rows, cols), paint, out,
                                          static_cast<OnTop>(options.on_top), cpp.selection(),
                                          cpp.output(), cpp.work());
            });
        break;
    }
    default:
        both(
            "polymask_coverage", std::vector<float>(elements, cpp.out_is_zero ? 0.0f : -7.0f),
            [&](auto &out, char *error) {
                return call_polygon([&](auto... polygon) {
                    const auto [pixels, count] = arrays.next(out.data(), out.size());
                    return polymask_coverage(polygon..., rows, cols, pixels, count, given.pointer(),
                                             error);
                });
            },
            [&](auto &out) {
                if (options.subpixels == 0)
                    coverage(rings.view(), cpp.grid(rows, cols), out, cpp.output(),
                             cpp.instruction_set);
                else
                    coverage_samples(rings.view(), cpp.grid(rows, cols), options.subpixels, out,
                                     cpp.row_stride, cpp.instruction_set);
            });
        break;
    }
    return 0;
}
