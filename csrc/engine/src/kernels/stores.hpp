/* How bytes reach memory. */
#pragma once

#include <cstddef>

#include "polymask/polymask.hpp"

namespace polymask::detail
{

constexpr int prefetch_distance = 1536; /* bytes; 1 to 2 KiB measured alike */

/* The strategy for a mask of so many bytes. Throws std::runtime_error when POLYMASK_STORES is not
 * the name of one. */
Stores choose_stores(Stores requested, InstructionSet set, std::size_t bytes);

} // namespace polymask::detail
