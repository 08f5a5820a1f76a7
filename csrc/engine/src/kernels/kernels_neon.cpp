#include "kernels/kernels.hpp"

#ifdef POLYMASK_NEON

#include <algorithm>
#include <arm_neon.h>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "kernels/formula.hpp"
#include "kernels/stores.hpp"
#include "support/finite.hpp"

namespace polymask::detail
{

/* All code for aarch64 may use NEON: nothing is to be switched on. */
namespace neon
{
#include "kernels/target/eight_plain.hpp"
#include "kernels/target/neon.hpp"

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
} // namespace neon

const Kernels neon_kernels = {InstructionSet::neon,  neon::toggle,    neon::write_bytes,
                              neon::write_packed,    neon::zero,      neon::vertex_rows,
                              neon::edge_columns,    neon::take_bits, neon::cover,
                              neon::write_fractions, neon::is_exact};

} // namespace polymask::detail

#endif
