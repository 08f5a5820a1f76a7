#include "kernels/kernels.hpp"

#ifdef POLYMASK_X86

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <utility>

#include "kernels/formula.hpp"
#include "kernels/stores.hpp"
#include "support/finite.hpp"

#include "kernels/target/begin_avx2.hpp"

namespace polymask::detail::avx2
{
#include "kernels/target/avx2.hpp"
#include "kernels/target/counts_avx2.hpp"
#include "kernels/target/eight_avx2.hpp"
#include "kernels/target/steps_avx2.hpp"

#include "kernels/generic/part.inl"

#include "kernels/generic/step.inl"

#include "kernels/generic/columns.inl"
#include "kernels/generic/crossings.inl"
#include "kernels/generic/expansion.inl"
#include "kernels/generic/is_exact.inl"
#include "kernels/generic/set_bits_by_four.inl"

#include "kernels/generic/set_bits.inl"

#include "kernels/generic/coverage_rows.inl"

#include "kernels/generic/coverage.inl"
} // namespace polymask::detail::avx2

#include "kernels/target/end.hpp"

namespace polymask::detail
{

const Kernels avx2_kernels = {InstructionSet::avx2,  avx2::toggle,    avx2::write_bytes,
                              avx2::write_packed,    avx2::zero,      avx2::vertex_rows,
                              avx2::edge_columns,    avx2::take_bits, avx2::cover,
                              avx2::write_fractions, avx2::is_exact};

} // namespace polymask::detail

#endif
