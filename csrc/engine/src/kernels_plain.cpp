#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "finite.hpp"
#include "formula.hpp"
#include "kernels.hpp"
#include "stores.hpp"

namespace polymask::detail
{

namespace plain
{
#include "target/eight_plain.hpp"
#include "target/plain.hpp"

#include "generic/part.inl"

#include "generic/step_by_row.inl"

#include "generic/columns.inl"
#include "generic/crossings.inl"
#include "generic/expansion.inl"
#include "generic/is_exact.inl"
#include "generic/set_bits_by_four.inl"

#include "generic/set_bits.inl"

#include "generic/fractions_one_by_one.inl"

#include "generic/coverage_rows.inl"

#include "generic/coverage.inl"
} // namespace plain

const Kernels plain_kernels = {InstructionSet::plain,  plain::toggle,    plain::write_bytes,
                               plain::write_packed,    plain::zero,      plain::vertex_rows,
                               plain::edge_columns,    plain::take_bits, plain::cover,
                               plain::write_fractions, plain::is_exact};

} // namespace polymask::detail
