/* All code that is compiled once per target. Included inside the target's namespace, after its own
 * definitions: `instruction_set`, and the functions listed at the top of these files. */

#include "kernels/generic/crossings.inl"

#include "kernels/generic/expansion.inl"

#include "kernels/generic/is_exact.inl"

#include "kernels/generic/painting.inl"

#include "kernels/generic/coverage_rows.inl"

#include "kernels/generic/coverage.inl"

static constexpr Kernels kernels = {
    .instruction_set = instruction_set,
    .has_tiles = Tiles::exist,
    .toggle = toggle,
    .write_bytes = write_bytes,
    .write_packed = write_packed,
    .take_run = take_run,
    .zero = zero,
    .vertex_rows = vertex_rows,
    .edge_columns = edge_columns,
    .take_bits = take_bits,
    .paint = paint,
    .cover = cover,
    .write_fractions = write_fractions,
    .is_exact = is_exact,
};
