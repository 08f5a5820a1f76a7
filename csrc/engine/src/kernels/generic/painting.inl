/* Labels in runs. The target defines
 *   Label, repeat_label(bits)        a label's bytes, repeated;
 *   put_run<size>(out, bytes, label) writes `bytes` bytes at `out`, whole elements of `size` bytes,
 *                                    and no byte beside them, because neighbours may belong to
 *                                    another thread. */

template <int size> static void paint_sized(const PaintedRuns &runs, const Label &label) noexcept
{
    const auto [line, pitch, ends, other_ends, step, count] = runs;
    std::uint8_t *row = line;
    for (std::int64_t i = 0; i < count * step; i += step, row += pitch) {
        const std::int64_t start = std::min(ends[i], other_ends[i]),
                           stop = std::max(ends[i], other_ends[i]);
        put_run<size>(row + size * start, size * (stop - start), label);
    }
}

static void paint(const PaintedRuns &runs, std::uint64_t bits, int size) noexcept
{
    const Label label = repeat_label(bits);
    if (size == 1)
        paint_sized<1>(runs, label);
    else if (size == 2)
        paint_sized<2>(runs, label);
    else if (size == 4)
        paint_sized<4>(runs, label);
    else
        paint_sized<8>(runs, label);
}
