/* Which instruction set: the one place that asks the processor. */
#pragma once

#include "kernels/kernels.hpp"

namespace polymask::detail
{

/* The kernels of an instruction set, or of the one that `automatic` stands for.
 * Throws std::runtime_error when it is unknown or missing. */
const Kernels &choose_kernels(InstructionSet requested);

} // namespace polymask::detail
