#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "formula.hpp"
#include "kernels.hpp"
#include "stores.hpp"

namespace polymask::detail
{

namespace plain
{
#include "target/plain.hpp"

#include "generic/step_by_row.inl"

#include "generic/crossings.inl"
#include "generic/expansion.inl"
} // namespace plain

const Kernels plain_kernels = {InstructionSet::plain, plain::toggle, plain::write_bytes,
                               plain::write_packed};

} // namespace polymask::detail
