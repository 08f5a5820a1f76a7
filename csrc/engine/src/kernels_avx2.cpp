#include "kernels.hpp"

#ifdef POLYMASK_X86

#include <algorithm>
#include <cstring>
#include <immintrin.h>
#include <utility>

#include "formula.hpp"
#include "stores.hpp"

#include "target/begin_avx2.hpp"

namespace polymask::detail::avx2
{
#include "target/avx2.hpp"

#include "generic/step.inl"

#include "generic/crossings.inl"
#include "generic/expansion.inl"
} // namespace polymask::detail::avx2

#include "target/end.hpp"

namespace polymask::detail
{

const Kernels avx2_kernels = {InstructionSet::avx2, avx2::toggle, avx2::write_bytes,
                              avx2::write_packed};

} // namespace polymask::detail

#endif
