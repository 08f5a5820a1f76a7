/* Sizes that overflow 32 bits, and many edges; parts are compared with a slow reference row. */

#include <algorithm>
#include <memory>

#include <gtest/gtest.h>

#include "polygons.hpp"

namespace polymask::test
{

namespace
{

/* The rule for a row: the sorted floor(min(xinters, max(x1, x2))) of all edges, by the formula.
 * Only for finite crossings. */
Bytes rule_row(const std::vector<double> &vertices, std::int64_t cols, double y)
{
    std::vector<std::int64_t> toggles;
    const std::size_t n = vertices.size() / 2;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t j = (i + n - 1) % n;
        const double x1 = vertices[2 * j], y1 = vertices[2 * j + 1];
        const double x2 = vertices[2 * i], y2 = vertices[2 * i + 1];
        if (y > std::min(y1, y2) && y <= std::max(y1, y2)) {
            const double xinters =
                x1 == x2 ? x1 : std::min((y - y1) * (x2 - x1) / (y2 - y1) + x1, std::max(x1, x2));
            toggles.push_back(static_cast<std::int64_t>(std::floor(xinters)) + 1);
        }
    }
    std::sort(toggles.begin(), toggles.end());
    Bytes row(static_cast<std::size_t>(cols));
    for (std::size_t k = 0; k + 1 < toggles.size(); k += 2)
        for (std::int64_t c = std::max(toggles[k], std::int64_t{0});
             c < std::min(toggles[k + 1], cols); ++c)
            row[static_cast<std::size_t>(c)] = 1;
    for (std::size_t i = 0; i < n; ++i) {
        const double x = vertices[2 * i];
        if (vertices[2 * i + 1] == y && x >= 0 && x < static_cast<double>(cols) &&
            x == std::floor(x))
            row[static_cast<std::size_t>(x)] = 1;
    }
    return row;
}

} // namespace

class Large : public testing::TestWithParam<InstructionSet>
{
  protected:
    Options options() const
    {
        Options options;
        options.instruction_set = GetParam();
        return options;
    }
};

TEST_P(Large, PackedOf40000Squared)
{
    Random random(41);
    const std::int64_t size = 40000;
    const auto vertices = polygon(random, Kind::reals, 50, 40000, 40000);
    const std::int64_t row_bytes = packed_row_bytes(size);
    const auto bits =
        std::make_unique_for_overwrite<std::uint8_t[]>(static_cast<std::size_t>(size * row_bytes));
    fill_packed({vertices}, options().grid(size, size),
                {bits.get(), static_cast<std::size_t>(size * row_bytes)}, options().rule(),
                options().output(), options().work());
    for (int i = 0; i < 60; ++i) {
        const std::int64_t row = i == 0 ? 0 : i == 1 ? size - 1 : random.integer(0, size - 1);
        const Bytes wanted = packed(rule_row(vertices, size, static_cast<double>(row)), 1, size);
        ASSERT_TRUE(std::equal(wanted.begin(), wanted.end(), bits.get() + row * row_bytes))
            << "row " << row;
    }
}

TEST_P(Large, WindowsOf50000Squared)
{
    Random random(42);
    const std::int64_t size = 50000;
    for (const Kind kind : {Kind::integers, Kind::reals}) {
        const auto vertices = polygon(random, kind, 400, 50000, 50000);
        for (int i = 0; i < 4; ++i) {
            Options options = this->options();
            options.row_offset = random.integer(0, size - 40);
            const Bytes mask = filled({vertices}, 40, size, options);
            for (std::int64_t row = 0; row < 40; row += 3)
                ASSERT_EQ(
                    difference(
                        Bytes(mask.begin() + row * size, mask.begin() + (row + 1) * size),
                        rule_row(vertices, size, static_cast<double>(row + options.row_offset)),
                        size),
                    "");
        }
    }
}

/* More columns than fixed point has room for: split into windows. */
TEST_P(Large, ThreeMillionColumns)
{
    Random random(43);
    const std::int64_t rows = 5, cols = 3'000'001;
    auto vertices = polygon(random, Kind::reals, 20, 5, 3e6);
    const Bytes mask = filled({vertices}, rows, cols, options());
    const Bytes bits = filled_packed({vertices}, rows, cols, options());
    EXPECT_EQ(bits, packed(mask, rows, cols));
    for (std::int64_t row = 0; row < rows; ++row)
        EXPECT_EQ(difference(Bytes(mask.begin() + row * cols, mask.begin() + (row + 1) * cols),
                             rule_row(vertices, cols, static_cast<double>(row)), cols),
                  "");
}

TEST_P(Large, ThreeMillionRows)
{
    Random random(44);
    const std::int64_t rows = 3'000'001, cols = 3;
    auto vertices = polygon(random, Kind::reals, 20, 3e6, 3);
    const Bytes mask = filled({vertices}, rows, cols, options());
    for (int i = 0; i < 2000; ++i) {
        const std::int64_t row = random.integer(0, rows - 1);
        ASSERT_EQ(difference(Bytes(mask.begin() + row * cols, mask.begin() + (row + 1) * cols),
                             rule_row(vertices, cols, static_cast<double>(row)), cols),
                  "")
            << "row " << row;
    }
}

/* Most edges have one to three rows, which are stored as crossings; some are longer. */
TEST_P(Large, HundredThousandEdges)
{
    Random random(45);
    const std::int64_t size = 3000;
    std::vector<double> vertices;
    for (int i = 0; i < 100'000; ++i) {
        const double angle = i * 2 * 3.14159265358979 / 100'000;
        const double radius = 1300 + random.real(-1, 1) * (random.one_in(50) ? 150 : 3);
        vertices.push_back(1500 + radius * std::cos(angle));
        vertices.push_back(1490 + radius * std::sin(angle));
    }
    for (Options options = this->options(); options.threads < 4; options.threads += 3) {
        const Bytes mask = filled({vertices}, size, size, options);
        for (std::int64_t row = 0; row < size; row += 23)
            ASSERT_EQ(difference(Bytes(mask.begin() + row * size, mask.begin() + (row + 1) * size),
                                 rule_row(vertices, size, static_cast<double>(row)), size),
                      "")
                << "row " << row;
    }
}

/* Many long edges, whose bands are in tiles. */
TEST_P(Large, ThousandLongEdges)
{
    Random random(46);
    const std::int64_t rows = 1500, cols = 3333;
    for (const Kind kind : all_kinds) {
        if (kind == Kind::huge || kind == Kind::tiny || kind == Kind::far)
            continue;
        const auto vertices = polygon(random, kind, 1000, 1500, 3333);
        Options options = this->options();
        options.threads = 2;
        const Bytes mask = filled({vertices}, rows, cols, options);
        for (std::int64_t row = 0; row < rows; row += 29)
            ASSERT_EQ(difference(Bytes(mask.begin() + row * cols, mask.begin() + (row + 1) * cols),
                                 rule_row(vertices, cols, static_cast<double>(row)), cols),
                      "")
                << "row " << row << ", " << name(kind);
    }
}

INSTANTIATE_TEST_SUITE_P(Every, Large, testing::ValuesIn(available_instruction_sets()),
                         [](const auto &tested) { return name(tested.param); });

} // namespace polymask::test
