#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/formula.hpp"
#include "kernels/kernels.hpp"
#include "kernels/stores.hpp"
#include "support/finite.hpp"

namespace polymask::detail
{

namespace plain
{
#include "kernels/target/eight_plain.hpp"
#include "kernels/target/plain.hpp"

#include "kernels/generic/part.inl"

#include "kernels/generic/step_by_row.inl"

#include "kernels/generic/columns.inl"
#include "kernels/generic/crossings.inl"
#include "kernels/generic/expansion.inl"
#include "kernels/generic/is_exact.inl"
#include "kernels/generic/set_bits_by_four.inl"

#include "kernels/generic/set_bits.inl"

#include "kernels/generic/fractions_one_by_one.inl"

#include "kernels/generic/coverage_rows.inl"

#include "kernels/generic/coverage.inl"
} // namespace plain

const Kernels plain_kernels = {InstructionSet::plain,  plain::toggle,    plain::write_bytes,
                               plain::write_packed,    plain::zero,      plain::vertex_rows,
                               plain::edge_columns,    plain::take_bits, plain::cover,
                               plain::write_fractions, plain::is_exact};

} // namespace polymask::detail
