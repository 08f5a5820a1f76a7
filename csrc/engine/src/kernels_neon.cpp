#include "kernels.hpp"

#ifdef POLYMASK_NEON

#include <algorithm>
#include <arm_neon.h>
#include <cstring>
#include <utility>

#include "formula.hpp"
#include "stores.hpp"

namespace polymask::detail
{

/* All code for aarch64 may use NEON: nothing is to be switched on. */
namespace neon
{
#include "target/neon.hpp"

#include "generic/step_by_row.inl"

#include "generic/crossings.inl"
#include "generic/expansion.inl"
} // namespace neon

const Kernels neon_kernels = {InstructionSet::neon, neon::toggle, neon::write_bytes,
                              neon::write_packed};

} // namespace polymask::detail

#endif
