/* Prints digests of the library's output for difficult polygons: a line per kind, for each
 * instruction set. With a file of the expected lines, it fails if a line differs. With the number
 * of a rounding mode as well, the library's first call is in that mode.
 *
 * All input is computed from integers by exact operations, so that the program prints the same
 * lines on all machines where the library computes the same bytes. */
#include <algorithm>
#include <array>
#include <bit>
#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "polymask/coverage.hpp"
#include "polymask/inside_polygon.h"
#include "polymask/labels.hpp"
#include "polymask/polymask.hpp"
#include "polymask/runs.hpp"
#include "polymask/touched.hpp"

namespace
{

constexpr int polygons = 400;

/* Numbers that do not depend on a library: xorshift64*. */
class Random
{
  public:
    std::uint64_t next() noexcept
    {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 0x2545f4914f6cdd1du;
    }
    std::int64_t below(std::int64_t end) noexcept
    {
        return static_cast<std::int64_t>(next() >> 33) % end;
    }

  private:
    std::uint64_t state_ = 20261123;
};

/* FNV-1a */
class Digest
{
  public:
    template <class T> void add(std::span<const T> values) noexcept
    {
        for (const T &value : values) { /* lowest byte first, on every machine */
            auto bytes = std::bit_cast<std::array<unsigned char, sizeof(T)>>(value);
            if constexpr (std::endian::native == std::endian::big)
                std::reverse(bytes.begin(), bytes.end());
            for (const unsigned char byte : bytes)
                hash_ = (hash_ ^ byte) * 0x100000001b3u;
        }
    }
    template <class T> void add(const std::vector<T> &values) noexcept
    {
        add(std::span<const T>(values));
    }
    [[nodiscard]] std::string text() const
    {
        char made[17];
        std::snprintf(made, sizeof made, "%016llx", static_cast<unsigned long long>(hash_));
        return made;
    }

  private:
    std::uint64_t hash_ = 0xcbf29ce484222325u;
};

/* Prints digests, and compares them with those in a file, if there is one. */
class Report
{
  public:
    explicit Report(const char *file)
    {
        if (file == nullptr)
            return;
        std::ifstream lines(file);
        for (std::string kind, digest; lines >> kind >> digest;)
            expected_[kind] = digest;
        all_ok_ = !expected_.empty();
    }
    void print(const std::string &kind, const Digest &digest)
    {
        std::printf("%s %s\n", kind.c_str(), digest.text().c_str());
        if (!expected_.empty() && expected_[kind] != digest.text()) {
            std::printf("%s must be %s\n", kind.c_str(), expected_[kind].c_str());
            all_ok_ = false;
        }
    }
    [[nodiscard]] bool all_ok() const noexcept { return all_ok_; }

  private:
    std::map<std::string, std::string> expected_;
    bool all_ok_ = true;
};

/* Integers, halves, eighths, reals of 53 bits, tiny and huge numbers, the last only in `hostile`.
 */
double coordinate(Random &r, std::int64_t size, int kind) noexcept
{
    static constexpr double extreme[] = {-0.0, 5e-324, -5e-324, 1e15, -1e15, 1e300, -1.7e308};
    switch (kind) {
    case 0:
        return static_cast<double>(r.below(size + 6) - 3);
    case 1:
        return static_cast<double>(r.below(size + 6) - 3) + 0.5;
    case 2:
        return static_cast<double>(r.below(8 * size) - 20) / 8;
    case 3:
        return static_cast<double>(r.next() >> 11) * 0x1p-53 * static_cast<double>(size + 8) - 4;
    default:
        return r.below(3) == 0 ? extreme[r.below(7)] : static_cast<double>(r.below(size));
    }
}

struct Image {
    std::vector<double> vertices;
    std::int64_t rows, cols;
};

std::vector<Image> images()
{
    Random r;
    std::vector<Image> made(polygons);
    for (int i = 0; i < polygons; ++i) {
        Image &image = made[static_cast<std::size_t>(i)];
        image.rows = 1 + r.below(60);
        image.cols = 1 + r.below(i % 7 == 0 ? 700 : 90);
        const std::int64_t count = 3 + r.below(i % 11 == 0 ? 300 : 12);
        for (std::int64_t k = 0; k < count; ++k) {
            image.vertices.push_back(coordinate(r, image.cols, i % 5));
            image.vertices.push_back(coordinate(r, image.rows, i % 5));
        }
    }
    return made;
}

} // namespace

int main(int argc, char **argv)
{
    using namespace polymask;
    Report report(argc > 1 ? argv[1] : nullptr);
    const std::vector<Image> all = images();

    Digest by_rule;
    for (const Image &image : all) {
        const auto n = static_cast<std::ptrdiff_t>(image.vertices.size() / 2);
        std::vector<std::uint8_t> mask;
        for (std::int64_t row = 0; row < image.rows; ++row)
            for (std::int64_t column = 0; column < image.cols; ++column)
                mask.push_back(static_cast<std::uint8_t>(
                    inside_polygon(static_cast<double>(column) + 0.125, static_cast<double>(row),
                                   image.vertices.data(), n, 1)));
        by_rule.add(mask);
    }
    report.print("rule", by_rule);
    constexpr int modes[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (argc > 2 && std::fesetround(modes[argv[2][0] - '0']) != 0)
        return 1;

    for (const InstructionSet set : available_instruction_sets()) {
        Digest masks, packed, labels, runs, covered, touched;
        for (std::size_t i = 0; i < all.size(); ++i) {
            const auto &[vertices, rows, cols] = all[i];
            const auto size = static_cast<std::size_t>(rows * cols);
            const Grid grid = {
                .shape = {rows, cols}, .center = i % 2 == 0, .row_offset = i % 5 == 0 ? -2 : 0};
            const Rule rule = {.border = i % 3 != 0 ? Border::inside : Border::outside,
                               .watertight = i % 4 == 0};
            const Work work = {.instruction_set = set};
            const Polygon polygon = {vertices};

            std::vector<std::uint8_t> mask(size);
            fill_mask(polygon, grid, mask, rule, {}, work);
            masks.add(mask);
            std::vector<std::uint8_t> bits(static_cast<std::size_t>(rows * packed_row_bytes(cols)));
            fill_packed(polygon, grid, bits, rule, {}, work);
            packed.add(bits);

            std::vector<std::int64_t> rings = {0}; /* triangles of neighbouring vertices */
            while (rings.back() + 3 <= static_cast<std::int64_t>(vertices.size() / 2))
                rings.push_back(rings.back() + 3);
            const Polygons many = {vertices, rings};
            std::vector<std::int32_t> image(size);
            fill_labels<std::int32_t>(many, grid, {}, image, OnTop::smallest, rule, {}, work);
            labels.add(image);
            const auto most = static_cast<std::size_t>(most_runs(many, grid, rule, work));
            std::vector<std::int32_t> of_runs[3];
            for (auto &column : of_runs)
                column.resize(most);
            std::vector<std::int64_t> ends(rings.size() - 1);
            const std::int64_t count = label_runs<std::int32_t>(
                many, grid, ends, {of_runs[0], of_runs[1], of_runs[2]}, rule, work);
            for (const auto &column : of_runs)
                runs.add(std::span(column).first(static_cast<std::size_t>(count)));

            std::vector<float> fractions(size);
            coverage(polygon, {{rows, cols}}, fractions, {}, set);
            covered.add(fractions);
            fill_touched(polygon, {{rows, cols}}, mask);
            touched.add(mask);
        }
        report.print("masks", masks);
        report.print("packed", packed);
        report.print("labels", labels);
        report.print("runs", runs);
        report.print("coverage", covered);
        report.print("touched", touched);
    }
    return report.all_ok() ? 0 : 1;
}
