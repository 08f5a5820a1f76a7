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

#include "target/begin_avx2.hpp"

namespace polymask::detail::avx2
{
#include "target/avx2.hpp"
#include "target/counts_avx2.hpp"
#include "target/eight_avx2.hpp"
#include "target/steps_avx2.hpp"

#include "generic/part.inl"

#include "generic/step.inl"

#include "generic/columns.inl"
#include "generic/crossings.inl"
#include "generic/expansion.inl"
#include "generic/is_exact.inl"
#include "generic/set_bits_by_four.inl"

#include "generic/set_bits.inl"

#include "generic/coverage_rows.inl"

#include "generic/coverage.inl"
} // namespace polymask::detail::avx2

#include "target/end.hpp"

namespace polymask::detail
{

const Kernels avx2_kernels = {InstructionSet::avx2,  avx2::toggle,    avx2::write_bytes,
                              avx2::write_packed,    avx2::zero,      avx2::vertex_rows,
                              avx2::edge_columns,    avx2::take_bits, avx2::cover,
                              avx2::write_fractions, avx2::is_exact};

} // namespace polymask::detail

#endif
