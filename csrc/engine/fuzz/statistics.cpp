/* Statistics equal those of the masks' pixels, one by one, with any number of threads. */

#include <algorithm>
#include <bit>

#include "references.hpp"
#include "scenes.hpp"

namespace polymask::fuzz
{

namespace
{

template <class T> bool same(const Statistics<T> &found, const Statistics<T> &wanted)
{
    if (found.count != wanted.count || found.min != wanted.min || found.max != wanted.max)
        return false;
    if constexpr (!std::is_floating_point_v<T>)
        return found.sum == wanted.sum;
    if (wanted.sum != wanted.sum || found.sum != found.sum)
        return found.sum != found.sum && wanted.sum != wanted.sum;
    const double largest = std::max(std::fabs(static_cast<double>(wanted.min)),
                                    std::fabs(static_cast<double>(wanted.max)));
    const auto count = static_cast<double>(wanted.count);
    const double error =
        std::fabs(static_cast<double>(found.sum) - static_cast<double>(wanted.sum));
    return found.sum == wanted.sum || error <= count * count * largest * 1e-16;
}

template <class T> void check(Input &input)
{
    const Area area = fuzz::area(input);
    Options options = fuzz::feature_options(input, area);
    const test::Features features = fuzz::features(input, area);
    /* Any bits, including NaN and infinity; a repeated pattern, shifted from row to row. */
    std::vector<T> pattern, pixels;
    for (int i = 0; i < 7; ++i) {
        T value = input.flag() ? input.raw<T>() : static_cast<T>(input.byte());
        if constexpr (std::is_floating_point_v<T>) /* the sum of finite ones stays finite */
            if (value - value == 0 && std::fabs(value) > std::numeric_limits<T>::max() / 100000)
                value /= 100000;
        pattern.push_back(value);
    }
    test::Bytes missing;
    const std::uint8_t gaps = input.byte();
    for (std::size_t i = 0; i < area.size(); ++i) {
        pixels.push_back(pattern[(i + i / 31) % pattern.size()]);
        missing.push_back(gaps >> i % 8 & 1);
    }
    Values<T> values = {pixels};
    if (input.flag())
        values.missing = missing;
    if (input.flag())
        values.nodata = pattern[0];

    const auto count = static_cast<std::size_t>(features.view().features());
    std::vector<Statistics<T>> found(count), others(count);
    statistics<T>(features.view(), options.grid(area.rows, area.cols), values, found,
                  options.selection(), options.work());
    options.threads = options.threads == 1 ? 3 : 1;
    statistics<T>(features.view(), options.grid(area.rows, area.cols), values, others,
                  options.selection(), options.work());
    for (std::size_t f = 0; f < count; ++f) {
        const auto mask =
            features.mask(static_cast<std::int64_t>(f), area.rows, area.cols, options);
        require(same(found[f], test::by_pixels(mask, values)), "statistics and pixels of feature ",
                f, ", ", options);
        require(std::bit_cast<std::uint64_t>(found[f].sum) ==
                        std::bit_cast<std::uint64_t>(others[f].sum) &&
                    found[f].count == others[f].count,
                "statistics by one thread and by three of feature ", f, ", ", options);
    }
}

} // namespace

} // namespace polymask::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    using namespace polymask::fuzz;
    Input input(data, size);
    constexpr void (*checks[])(Input &) = {
        check<double>,       check<std::uint8_t>,  check<std::int8_t>,  check<std::uint16_t>,
        check<std::int16_t>, check<std::uint32_t>, check<std::int32_t>, check<std::uint64_t>,
        check<std::int64_t>, check<float>};
    input.one_of(checks)(input);
    return 0;
}
