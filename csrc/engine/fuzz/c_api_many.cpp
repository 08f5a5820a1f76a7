/* The functions for C for many polygons and outlines give the same results as those for C++, and
 * report the sizes that their outputs need. */

#include "c_calls.hpp"
#include "polymask/crops.hpp"
#include "polymask/outlines.hpp"
#include "polymask/runs.hpp"

namespace polymask::fuzz
{

namespace
{

using test::Bytes;

/* Options as a program passes them. */
struct Choices {
    Choices(Input &input, Function function, const polymask_options &wanted)
        : given(input, input.one_in(16) ? wanted : known_to(function, wanted)), arrays(input)
    {
        const polymask_options &options = given.fields();
        is_refused = given.is_refused() || !has_enumerators(options) ||
                     !same_fields(options, known_to(function, options));
    }
    polymask_options fields() const { return is_refused ? polymask_options{} : given.fields(); }

    Given given;
    Arrays arrays;
    bool is_refused;
};

/* Runs in room that may be too small. */
struct Runs {
    test::Offsets ends;
    std::vector<std::int32_t> rows, starts, stops;
    std::size_t count;
    bool operator==(const Runs &) const = default;
};

void check_runs(Input &input, Choices &choices, const test::Features &features, std::int64_t rows,
                std::int64_t cols, std::size_t numbers)
{
    const Options options = for_cpp(choices.fields());
    const auto room = static_cast<std::size_t>(input.integer(0, 1000));
    const std::vector<std::int32_t> unwritten(room, -5);
    const bool only_count = numbers == 0 || input.one_in(4); /* as ends is NULL then */
    call_both(
        "polymask_label_runs", input, choices.is_refused, choices.arrays,
        Runs{test::Offsets(numbers, -5), unwritten, unwritten, unwritten, room},
        [&](Runs &out, char *error) {
            const auto polygons = polygons_for_c(input, choices.arrays, features);
            std::size_t count = room;
            int status;
            if (only_count) {
                status = polymask_label_runs(&polygons, rows, cols, nullptr, 0, nullptr, nullptr,
                                             nullptr, &count, choices.given.pointer(), error);
            } else {
                std::int32_t *starts;
                std::tie(starts, count) = choices.arrays.next(out.starts.data(), room);
                status = polymask_label_runs(&polygons, rows, cols, out.ends.data(), numbers,
                                             out.rows.data(), starts, out.stops.data(), &count,
                                             choices.given.pointer(), error);
            }
            if (status == POLYMASK_DONE || status == POLYMASK_TOO_SMALL)
                out.count = count;
            return status;
        },
        [&](Runs &out) {
            const Polygons view = features.view();
            if (only_count) {
                out.count = static_cast<std::size_t>(most_runs(view, rows, cols, options));
                return;
            }
            try {
                out.count = static_cast<std::size_t>(label_runs<std::int32_t>(
                    view, rows, cols, out.ends, {out.rows, out.starts, out.stops}, options));
            } catch (const detail::TooSmall &small) {
                out.count = static_cast<std::size_t>(small.needed);
                throw;
            }
        });
}

/* call(polygons, elements, their count, error) and of_cpp(elements) write the same elements. */
template <class C, class Call, class OfCpp>
void check_numbers(const char *name, Input &input, Choices &choices, const test::Features &features,
                   std::vector<C> out, const Call &call, const OfCpp &of_cpp)
{
    call_both(
        name, input, choices.is_refused, choices.arrays, std::move(out),
        [&](std::vector<C> &written, char *error) {
            const auto polygons = polygons_for_c(input, choices.arrays, features);
            const auto [elements, count] = choices.arrays.next(written.data(), written.size());
            return call(&polygons, elements, count, error);
        },
        of_cpp);
}

/* Elements in C, to be compared. */
struct Sums : polymask_sums {
    bool operator==(const Sums &b) const
    {
        return pixels == b.pixels && rows == b.rows && columns == b.columns;
    }
};
struct CBox : polymask_box {
    bool operator==(const CBox &b) const
    {
        return top == b.top && bottom == b.bottom && left == b.left && right == b.right;
    }
};

void check_features(Input &input, int kind)
{
    const Function function = kind == 4 ? Function::crops : Function::runs;
    Area area = fuzz::area(input);
    Options how = feature_options(input, area);
    how.out_is_zero = input.flag();
    Choices choices(input, function, test::for_c(how));
    const Options options = for_cpp(choices.fields());
    const std::int64_t rows = input.one_in(16) ? -1 : area.rows, cols = area.cols;
    const test::Features features = fuzz::features(input, area, {.any_bits = input.one_in(4)});
    const Polygons view = features.view();
    const auto numbers =
        static_cast<std::size_t>(view.features()) + static_cast<std::size_t>(input.one_in(16));
    switch (kind) {
    case 0:
        check_numbers(
            "polymask_pixel_counts", input, choices, features, test::Offsets(numbers, -5),
            [&](auto polygons, auto out, std::size_t count, char *error) {
                return polymask_pixel_counts(polygons, rows, cols, out, count,
                                             choices.given.pointer(), error);
            },
            [&](auto &out) { pixel_counts(view, rows, cols, out, options); });
        break;
    case 1:
        check_numbers(
            "polymask_pixel_sums", input, choices, features, std::vector<Sums>(numbers),
            [&](auto polygons, auto out, std::size_t count, char *error) {
                return polymask_pixel_sums(polygons, rows, cols, out, count,
                                           choices.given.pointer(), error);
            },
            [&](auto &out) {
                std::vector<PixelSums> sums(out.size());
                pixel_sums(view, rows, cols, sums, options);
                for (std::size_t i = 0; i < sums.size(); ++i)
                    out[i] = {{sums[i].pixels, sums[i].rows, sums[i].columns}};
            });
        break;
    case 2:
        check_runs(input, choices, features, rows, cols, numbers);
        break;
    case 3:
        check_numbers(
            "polymask_boxes", input, choices, features, std::vector<CBox>(numbers),
            [&](auto polygons, auto out, std::size_t count, char *error) {
                return polymask_boxes(polygons, rows, cols, out, count, choices.given.pointer(),
                                      error);
            },
            [&](auto &out) {
                std::vector<Box> boxes(out.size());
                MaskCropper(view, rows, cols, options).boxes(boxes);
                for (std::size_t i = 0; i < boxes.size(); ++i)
                    out[i] = {{boxes[i].top, boxes[i].bottom, boxes[i].left, boxes[i].right}};
            });
        break;
    default: {
        std::vector<Box> boxes;
        std::vector<polymask_box> c_boxes;
        std::size_t pixels = input.one_in(16);
        for (std::size_t i = 0; i < numbers; ++i) {
            const std::int64_t top = input.integer(0, area.rows), left = input.integer(0, cols);
            const Box box = {top, input.integer(top, area.rows), left,
                             input.integer(left, cols + (i == 5))};
            boxes.push_back(box);
            c_boxes.push_back({box.top, box.bottom, box.left, box.right});
            pixels += static_cast<std::size_t>(box.rows() * box.cols());
        }
        check_numbers(
            "polymask_fill_crops", input, choices, features,
            Bytes(pixels, options.out_is_zero ? 0 : 0xa5),
            [&](auto polygons, auto out, std::size_t count, char *error) {
                const auto [corners, box_count] = choices.arrays.next(c_boxes.data(), numbers);
                return polymask_fill_crops(polygons, rows, cols, corners, box_count, out, count,
                                           choices.given.pointer(), error);
            },
            [&](auto &out) { MaskCropper(view, rows, cols, options).fill(0, boxes, out); });
        break;
    }
    }
}

/* The arrays of outlines are written into the room that they need, and not into less. */
Outlines written(Input &input, const polymask_outlines *traced)
{
    std::size_t counts[3];
    const auto query = [&](std::size_t *sizes) {
        require(polymask_write_outlines(traced, nullptr, &sizes[0], nullptr, &sizes[1], nullptr,
                                        &sizes[2], nullptr, nullptr) == POLYMASK_DONE,
                "sizes of outlines");
    };
    query(counts);
    std::size_t room[] = {counts[0], counts[1], counts[2]};
    for (std::size_t &of : room)
        of = input.one_in(8) && of > 0 ? of - 1 : of + input.byte() % 4;
    const bool fits = room[0] >= counts[0] && room[1] >= counts[1] && room[2] >= counts[2];
    Outlines out = {std::vector<double>(2 * room[0], -5), test::Offsets(room[1] + 1, -5),
                    test::Offsets(room[2] + 1, -5), test::Offsets()};
    const Outlines before = out;
    std::vector<std::int32_t> labels(room[2], -5);
    const int status = polymask_write_outlines(
        traced, out.vertices.data(), &room[0], out.ring_offsets.data(), &room[1],
        out.polygon_offsets.data(), &room[2], labels.data(), nullptr);
    require(status == (fits ? POLYMASK_DONE : POLYMASK_TOO_SMALL), "room for outlines");
    require(std::equal(room, room + 3, counts), "the sizes of outlines are exact");
    if (!fits) {
        require(out.vertices == before.vertices && out.ring_offsets == before.ring_offsets &&
                    out.polygon_offsets == before.polygon_offsets,
                "nothing is written into too little room");
        return written(input, traced);
    }
    out.vertices.resize(2 * counts[0]);
    out.ring_offsets.resize(counts[1] + 1);
    out.polygon_offsets.resize(counts[2] + 1);
    out.labels.assign(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(counts[2]));
    return out;
}

template <class T> void check_outlines(Input &input, bool of_mask)
{
    const std::int64_t rows = input.integer(0, 24), cols = input.integer(0, 60),
                       stride = cols + input.integer(0, 3);
    polymask_options wanted =
        test::for_c(OutlineOptions{input.flag() ? Connectivity::corners : Connectivity::sides,
                                   input.flag(), offset(input, rows, 51), offset(input, cols, 51)});
    wanted.row_stride = stride;
    wanted.background = input.byte() % 3;
    const Function function = of_mask ? Function::mask_outlines : Function::label_outlines;
    Choices choices(input, function, wanted);
    const polymask_options options = choices.fields();
    std::vector<T> image(static_cast<std::size_t>(rows * stride) + input.one_in(16));
    for (std::size_t i = 0; i < image.size();) {
        const std::uint8_t run = input.byte();
        for (int left = run % 32; left >= 0 && i < image.size(); --left)
            image[i++] = static_cast<T>(run / 64);
    }
    const OutlineOptions tracing = {options.joins_corners != 0 ? Connectivity::corners
                                                               : Connectivity::sides,
                                    options.center != 0, options.row_offset, options.column_offset};
    struct Result : Outlines {
        bool operator==(const Result &b) const
        {
            return vertices == b.vertices && ring_offsets == b.ring_offsets &&
                   polygon_offsets == b.polygon_offsets && labels == b.labels;
        }
    };
    call_both(
        of_mask ? "polymask_trace_mask" : "polymask_trace_labels", input, choices.is_refused,
        choices.arrays, Result{},
        [&](Result &out, char *error) {
            const auto [pixels, count] = choices.arrays.next(image.data(), image.size());
            polymask_outlines *traced = nullptr;
            int status;
            if constexpr (sizeof(T) == 1)
                status = polymask_trace_mask(pixels, count, rows, cols, &traced,
                                             choices.given.pointer(), error);
            else
                status = polymask_trace_labels(pixels, count, rows, cols, &traced,
                                               choices.given.pointer(), error);
            require((traced != nullptr) == (status == POLYMASK_DONE), "outlines, or an error");
            if (status == POLYMASK_DONE)
                out = {written(input, traced)};
            polymask_free_outlines(traced);
            return status;
        },
        [&](Result &out) {
            const LabelImage view = {image, rows, cols, options.row_stride};
            out = {of_mask ? mask_to_rings(view, tracing)
                           : labels_to_rings(view, options.background, tracing)};
        });
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask::fuzz;
    Input input(data, size);
    const int kind = input.byte() % 7;
    if (kind < 5)
        check_features(input, kind);
    else if (kind == 5)
        check_outlines<std::uint8_t>(input, true);
    else
        check_outlines<std::int32_t>(input, false);
    return 0;
}
