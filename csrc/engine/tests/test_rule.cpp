/* Every byte equals the rule, for all kinds of polygons, instruction sets and numbers of threads.
 */

#include <gtest/gtest.h>

#include "polygons.hpp"

namespace polymask::test
{

class Rule : public testing::TestWithParam<std::tuple<InstructionSet, Kind>>
{
  protected:
    Options options() const
    {
        Options options;
        options.instruction_set = std::get<0>(GetParam());
        return options;
    }
    Kind kind() const { return std::get<1>(GetParam()); }
};

TEST_P(Rule, SmallImages)
{
    Random random(11);
    for (int i = 0; i < 300; ++i) {
        const std::int64_t rows = random.integer(1, 60), cols = random.integer(1, 70);
        const auto vertices = polygon(random, kind(), random.integer(3, 30),
                                      static_cast<double>(rows), static_cast<double>(cols));
        Options options = this->options();
        options.border = border_of(random.one_in(2));
        options.threads = static_cast<int>(random.integer(1, 4));
        options.center = random.one_in(3);
        const Bytes wanted = rule_mask({vertices}, rows, cols, options);
        ASSERT_EQ(difference(filled({vertices}, rows, cols, options), wanted, cols), "")
            << "polygon " << i << ", " << rows << " x " << cols;
        ASSERT_EQ(difference(filled_packed({vertices}, rows, cols, options),
                             packed(wanted, rows, cols), packed_row_bytes(cols)),
                  "")
            << "packed, polygon " << i << ", " << rows << " x " << cols;
    }
}

/* Long edges: many steps, several bands, padded rows. */
TEST_P(Rule, TallAndWideImages)
{
    Random random(12);
    for (const auto &[rows, cols, n] : {std::tuple{900, 33, 12},
                                        {600, 200, 40},
                                        {70, 2500, 30},
                                        {20, 5000, 10},
                                        {40, 2200, 700},
                                        {2500, 20, 600}}) {
        const auto vertices = polygon(random, kind(), n, rows, cols);
        Options options = this->options();
        options.threads = static_cast<int>(random.integer(1, 4));
        const Bytes wanted = rule_mask({vertices}, rows, cols, options);
        EXPECT_EQ(difference(filled({vertices}, rows, cols, options), wanted, cols), "")
            << rows << " x " << cols;
        EXPECT_EQ(difference(filled_packed({vertices}, rows, cols, options),
                             packed(wanted, rows, cols), packed_row_bytes(cols)),
                  "")
            << "packed, " << rows << " x " << cols;
    }
}

TEST_P(Rule, RingsWithHoles)
{
    Random random(13);
    for (int i = 0; i < 40; ++i) {
        Rings rings;
        for (std::int64_t ring = 0; ring < random.integer(2, 5); ++ring) {
            rings.starts.push_back(static_cast<std::int64_t>(rings.vertices.size() / 2));
            const auto more = polygon(random, kind(), random.integer(3, 12), 50, 60);
            rings.vertices.insert(rings.vertices.end(), more.begin(), more.end());
            if (random.one_in(2)) { /* a closing vertex has no effect */
                rings.vertices.push_back(more[0]);
                rings.vertices.push_back(more[1]);
            }
        }
        Options options = this->options();
        options.border = border_of(random.one_in(2));
        const Bytes wanted = rule_mask(rings.view(), 50, 60, options);
        ASSERT_EQ(difference(filled(rings.view(), 50, 60, options), wanted, 60), "")
            << "polygon " << i;
    }
}

std::string label(const testing::TestParamInfo<Rule::ParamType> &info)
{
    return std::string(name(std::get<0>(info.param))) + "_" + name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(Every, Rule,
                         testing::Combine(testing::ValuesIn(available_instruction_sets()),
                                          testing::ValuesIn(all_kinds)),
                         label);

} // namespace polymask::test
