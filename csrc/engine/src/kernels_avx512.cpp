#include "kernels.hpp"

#ifdef POLYMASK_X86

#include <algorithm>
#include <cstring>
#include <immintrin.h>
#include <utility>

#include "formula.hpp"
#include "stores.hpp"

#include "target/begin_avx512.hpp"

namespace polymask::detail::avx512
{
#include "target/avx512.hpp"

#include "generic/step.inl"

#include "generic/crossings.inl"
#include "generic/expansion.inl"
} // namespace polymask::detail::avx512

#include "target/end.hpp"

namespace polymask::detail
{

const Kernels avx512_kernels = {InstructionSet::avx512, avx512::toggle, avx512::write_bytes,
                                avx512::write_packed};

} // namespace polymask::detail

#endif
