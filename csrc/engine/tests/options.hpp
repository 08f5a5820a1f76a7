/* All options in one struct, for tests that vary them and compare several functions. */
#pragma once

#include <optional>

#include "polymask/options.hpp"

namespace polymask::test
{

struct Options {
    Border border = Border::inside;
    bool center = false, watertight = false;
    std::int64_t row_offset = 0, column_offset = 0;
    bool out_is_zero = false;
    std::int64_t row_stride = 0;
    Box *dirty = nullptr;
    int threads = 0;
    InstructionSet instruction_set = InstructionSet::automatic;
    Stores stores = Stores::automatic;
    std::optional<Squares> touched = {};

    Grid grid(std::int64_t rows, std::int64_t cols) const
    {
        return {{rows, cols}, center, row_offset, column_offset};
    }
    Rule rule() const { return {border, watertight}; }
    Selection selection() const { return touched ? Selection(*touched) : Selection(rule()); }
    Squares squares() const { return touched.value_or(Squares::closed); }
    Output output() const { return {out_is_zero, row_stride, dirty}; }
    Work work() const { return {threads, instruction_set, stores}; }
};

} // namespace polymask::test
