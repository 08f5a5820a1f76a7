#include "kernels.hpp"

#ifdef POLYMASK_X86

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <utility>

#include "finite.hpp"
#include "formula.hpp"
#include "stores.hpp"

#include "target/begin_avx512.hpp"

namespace polymask::detail::avx512
{
#include "target/avx512.hpp"
#include "target/counts_avx2.hpp"
#include "target/eight_avx512.hpp"
#include "target/steps_avx2.hpp"

#include "generic/step.inl"

#include "generic/columns.inl"
#include "generic/crossings.inl"
#include "generic/expansion.inl"
#include "generic/is_exact.inl"
#include "generic/set_bits.inl"

#include "generic/coverage_rows.inl"

#include "generic/coverage.inl"
} // namespace polymask::detail::avx512

#include "target/end.hpp"

namespace polymask::detail
{

const Kernels avx512_kernels = {InstructionSet::avx512,  avx512::toggle,    avx512::write_bytes,
                                avx512::write_packed,    avx512::zero,      avx512::vertex_rows,
                                avx512::edge_columns,    avx512::take_bits, avx512::cover,
                                avx512::write_fractions, avx512::is_exact};

} // namespace polymask::detail

#endif
