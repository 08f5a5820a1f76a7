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

#include "kernels/target/begin_avx512.hpp"

namespace polymask::detail::avx512
{
#include "kernels/target/avx512.hpp"
#include "kernels/target/counts_avx2.hpp"
#include "kernels/target/eight_avx512.hpp"
#include "kernels/target/steps_avx2.hpp"

#include "kernels/generic/step.inl"

#include "kernels/generic/columns.inl"
#include "kernels/generic/crossings.inl"
#include "kernels/generic/expansion.inl"
#include "kernels/generic/is_exact.inl"
#include "kernels/generic/set_bits.inl"

#include "kernels/generic/coverage_rows.inl"

#include "kernels/generic/coverage.inl"
} // namespace polymask::detail::avx512

#include "kernels/target/end.hpp"

namespace polymask::detail
{

const Kernels avx512_kernels = {InstructionSet::avx512,  avx512::toggle,    avx512::write_bytes,
                                avx512::write_packed,    avx512::zero,      avx512::vertex_rows,
                                avx512::edge_columns,    avx512::take_bits, avx512::cover,
                                avx512::write_fractions, avx512::is_exact};

} // namespace polymask::detail

#endif
