#include "kernels.hpp"

#ifdef POLYMASK_NEON

#include <algorithm>
#include <arm_neon.h>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "finite.hpp"
#include "formula.hpp"
#include "stores.hpp"

namespace polymask::detail
{

/* All code for aarch64 may use NEON: nothing is to be switched on. */
namespace neon
{
#include "target/eight_plain.hpp"
#include "target/neon.hpp"

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
} // namespace neon

const Kernels neon_kernels = {InstructionSet::neon,  neon::toggle,    neon::write_bytes,
                              neon::write_packed,    neon::zero,      neon::vertex_rows,
                              neon::edge_columns,    neon::take_bits, neon::cover,
                              neon::write_fractions, neon::is_exact};

} // namespace polymask::detail

#endif
