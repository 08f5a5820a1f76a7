/* Code shared by AVX2 and AVX-512: a band in tiles of 8 rows x 8 columns, where 32 rows of an edge
 * are toggled at once. */

/* Toggles rows of the tile that contains the column x: `part` begins in the row of `first_tile`. */
template <class Part>
static inline void toggle_part(std::uint8_t *first_tile, std::uint64_t x, Part part) noexcept
{
    std::uint8_t *const at = first_tile + (x >> (fraction_bits + 3)) * 8;
    Part bits;
    std::memcpy(&bits, at, sizeof bits);
    bits = static_cast<Part>(bits ^ part);
    std::memcpy(at, &bits, sizeof bits);
}

/* Toggles rows of an edge one by one, from `row` on, until one is not decided; returns their
 * number. 8 rows are `stride` bytes. The bytes of rows are independent, unlike their words. */
static inline std::int64_t toggle_tile_rows(std::uint8_t *tiles, std::int64_t stride,
                                            std::int64_t row, std::uint64_t x, std::uint64_t step,
                                            std::uint64_t mask, std::int64_t rows) noexcept
{
    for (std::int64_t done = 0; done < rows; ++done, ++row, x += step) {
        if ((x & mask) == 0)
            return done;
        toggle_part(tiles + row / 8 * stride + row % 8, x,
                    static_cast<std::uint8_t>(1 << (x >> fraction_bits & 7)));
    }
    return rows;
}

/* The columns of an edge in the 32 rows of a block, modulo 256 (formula.hpp). Each vector has the
 * rows whose bytes two packs put in order. */
class Lanes
{
  public:
    Lanes(std::uint64_t x, std::uint64_t step, const LaneBounds &bounds) noexcept
        : step_(repeat(LaneBounds::units(LaneBounds::rows * step))), least_(repeat(bounds.least))
    {
        const __m256i first = repeat(LaneBounds::units(x) + bounds.deficit),
                      row_step = repeat(LaneBounds::units(step)), two = plus(row_step, row_step),
                      rows = _mm256_setr_epi32(0, 1, 2, 3, 16, 17, 18, 19);
        a_ = plus(first, times(rows, row_step));
        b_ = plus(a_, plus(two, two));
        c_ = plus(b_, plus(two, two));
        d_ = plus(c_, plus(two, two));
    }
    /* Returns whether all rows are decided. */
    bool decided() const noexcept
    {
        const __m256i nearest =
            lesser_of(lesser_of(fraction(a_), fraction(b_)), lesser_of(fraction(c_), fraction(d_)));
        const __m256i near = _mm256_cmpgt_epi32(least_, nearest);
        return _mm256_testz_si256(near, near) != 0;
    }
    /* Returns the columns, a byte for each row. */
    __m256i columns() const noexcept
    {
        return _mm256_packus_epi16(_mm256_packus_epi32(column(a_), column(b_)),
                                   _mm256_packus_epi32(column(c_), column(d_)));
    }
    /* Moves to the next block. */
    void advance() noexcept
    {
        a_ = plus(a_, step_);
        b_ = plus(b_, step_);
        c_ = plus(c_, step_);
        d_ = plus(d_, step_);
    }

  private:
    static __m256i fraction(__m256i lanes) noexcept { return both(lanes, repeat(0xffffff)); }
    static __m256i column(__m256i lanes) noexcept { return _mm256_srli_epi32(lanes, 24); }

    __m256i a_, b_, c_, d_, step_, least_;
};

static inline __m256i bytes(std::int64_t n) noexcept
{
    return _mm256_set1_epi8(static_cast<char>(n));
}

/* The toggled bits of a block's rows, a byte for each row, in words of `Part` for consecutive rows
 * that are in at most two tiles: those in the tile of the part's first row, and the others, which
 * are in the tile of its last row. */
template <class Part> struct Parts {
    static constexpr int rows = sizeof(Part), count = LaneBounds::rows / rows;
    alignas(32) Part in_first[count], in_last[count];

    /* Of rows first .. end - 1 of the block, first < 8; other bits are 0. */
    Parts(__m256i columns, std::int64_t first, std::int64_t end) noexcept
    {
        const __m256i row =
            _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
                             20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
        const __m256i bit_of_column =
            _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201));
        __m256i bits = _mm256_shuffle_epi8(bit_of_column, both(columns, bytes(7)));
        /* a row's part begins with this row, within 16 bytes; the first part may begin later */
        __m256i begin = _mm256_and_si256(row, bytes(16 - rows));
        if (first != 0 || end != LaneBounds::rows) {
            bits = both(bits, _mm256_and_si256(_mm256_cmpgt_epi8(row, bytes(first - 1)),
                                               _mm256_cmpgt_epi8(bytes(end), row)));
            begin =
                _mm256_max_epu8(begin, _mm256_blend_epi32(_mm256_setzero_si256(), bytes(first), 3));
        }
        const __m256i tile = both(columns, bytes(0xf8));
        const __m256i is_first = _mm256_cmpeq_epi8(tile, _mm256_shuffle_epi8(tile, begin));
        _mm256_store_si256(reinterpret_cast<__m256i *>(in_first), both(is_first, bits));
        _mm256_store_si256(reinterpret_cast<__m256i *>(in_last),
                           _mm256_andnot_si256(is_first, bits));
        through_memory(in_first);
        through_memory(in_last);
    }
};

/* Toggles rows first .. end - 1 of a block whose row 0 has the position x. */
template <class Part>
static inline void toggle_block(std::uint8_t *tiles, std::int64_t stride, std::uint64_t x,
                                std::uint64_t step, __m256i columns, std::int64_t first,
                                std::int64_t end) noexcept
{
    using Block = Parts<Part>;
    const Block parts(columns, first, end);
    const Part *in_first = parts.in_first, *in_last = parts.in_last;
    if (first == 0 && end == LaneBounds::rows) {
        for (int tile = 0; tile < LaneBounds::rows / 8; ++tile, tiles += stride) {
            for (int row = 0; row < 8; row += Block::rows) {
                toggle_part(tiles + row, x, *in_first++);
                x += (Block::rows - 1) * step;
                if constexpr (Block::rows > 1)
                    toggle_part(tiles + row, x, *in_last++);
                x += step;
            }
        }
        return;
    }
    for (std::int64_t i = first / Block::rows; i * Block::rows < end; ++i) {
        const std::int64_t row = i * Block::rows;
        std::uint8_t *const at = tiles + row / 8 * stride + row % 8;
        const std::int64_t from = std::max(row, first), to = std::min(row + Block::rows, end) - 1;
        toggle_part(at, x + static_cast<std::uint64_t>(from) * step, in_first[i]);
        if constexpr (Block::rows > 1)
            toggle_part(at, x + static_cast<std::uint64_t>(to) * step, in_last[i]);
    }
}

/* Toggles rows until one is not decided; returns their number. */
template <class Part>
static std::int64_t toggle_blocks(std::uint8_t *tiles, std::int64_t stride, std::int64_t row,
                                  std::uint64_t x, std::uint64_t step, std::uint64_t mask,
                                  std::int64_t rows) noexcept
{
    constexpr std::int64_t at_once = LaneBounds::rows;
    /* Blocks begin with the first row of a tile. */
    const std::int64_t before = row % 8, behind = before + rows;
    x -= static_cast<std::uint64_t>(before) * step;
    tiles += row / 8 * stride;
    Lanes lanes(x, step, {mask, (behind + at_once - 1) / at_once});
    for (std::int64_t block = 0; block < behind; block += at_once) {
        const std::int64_t first = std::max(before - block, std::int64_t{0}),
                           end = std::min(behind - block, at_once);
        if (!lanes.decided()) [[unlikely]] {
            const std::int64_t toggled =
                toggle_tile_rows(tiles, stride, first, x + static_cast<std::uint64_t>(first) * step,
                                 step, mask, end - first);
            if (toggled < end - first)
                return block + first + toggled - before;
        } else if (first == 0 && end == at_once) {
            toggle_block<Part>(tiles, stride, x, step, lanes.columns(), 0, at_once);
        } else {
            toggle_block<Part>(tiles, stride, x, step, lanes.columns(), first, end);
        }
        lanes.advance();
        x += at_once * step;
        tiles += at_once / 8 * stride;
    }
    return rows;
}

struct Tiles {
    static constexpr bool exist = true;

    /* Toggles rows of an edge, from row number `row` and the position x on, until one is not
     * decided; returns their number. */
    static std::int64_t toggle(std::uint64_t *bits, std::int64_t stride, std::int64_t row,
                               std::uint64_t x, std::uint64_t step, std::uint64_t mask,
                               std::int64_t rows) noexcept
    {
        constexpr std::int64_t few_rows = 12;
        constexpr std::uint64_t tile = 8 * one_column;
        auto *const tiles = reinterpret_cast<std::uint8_t *>(bits);
        /* 8 rows, or 4, in two tiles: their first and last column are at most a tile apart */
        const std::uint64_t slope = std::min(step, 0 - step);
        const auto toggle_all = rows < few_rows     ? toggle_tile_rows
                                : slope <= tile / 7 ? toggle_blocks<std::uint64_t>
                                : slope <= tile / 3 ? toggle_blocks<std::uint32_t>
                                                    : toggle_blocks<std::uint8_t>;
        return toggle_all(tiles, stride, row, x, step, mask, rows);
    }

    /* Turns 8 rows of tiles into runs of `words` words, each moved up by a number of bits below 64,
     * and sets the tiles to zero. The runs must be zero before. */
    static void to_runs(std::uint64_t *tiles, std::int64_t words, const std::uint64_t *shifts,
                        std::uint64_t *runs) noexcept
    {
        const __m256i none = _mm256_setzero_si256();
        /* pairs of bytes for each row from two tiles; then words of 8 bytes from both halves */
        const __m256i pairs = _mm256_broadcastsi128_si256(
            _mm_setr_epi8(0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15));
        const __m256i halves = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        const auto *const four_shifts = reinterpret_cast<const __m256i *>(shifts);
        const Runs up = {_mm256_loadu_si256(four_shifts), _mm256_loadu_si256(four_shifts + 1)};
        Runs before = {none, none};
        for (std::int64_t i = 0; i < words; ++i) {
            auto *const from = reinterpret_cast<__m256i *>(tiles + 8 * i);
            const __m256i low = _mm256_loadu_si256(from), high = _mm256_loadu_si256(from + 1);
            const __m256i any = _mm256_or_si256(_mm256_or_si256(low, high),
                                                _mm256_or_si256(before.low, before.high));
            if (_mm256_testz_si256(any, any))
                continue;
            _mm256_storeu_si256(from, none);
            _mm256_storeu_si256(from + 1, none);
            const __m256i a = _mm256_shuffle_epi8(_mm256_permute2x128_si256(low, high, 0x20),
                                                  pairs),
                          b = _mm256_shuffle_epi8(_mm256_permute2x128_si256(low, high, 0x31),
                                                  pairs);
            const Runs here = {_mm256_permutevar8x32_epi32(_mm256_unpacklo_epi16(a, b), halves),
                               _mm256_permutevar8x32_epi32(_mm256_unpackhi_epi16(a, b), halves)};
            store_four(runs + i, words, moved(here.low, before.low, up.low));
            store_four(runs + i + 4 * words, words, moved(here.high, before.high, up.high));
            before = here;
        }
    }

  private:
    /* a word of each of 8 rows */
    struct Runs {
        __m256i low, high;
    };

    static __m256i moved(__m256i words, __m256i before, __m256i up) noexcept
    {
        const __m256i down = _mm256_sub_epi64(_mm256_set1_epi64x(64), up); /* 64 shifts to zero */
        return _mm256_or_si256(_mm256_sllv_epi64(words, up), _mm256_srlv_epi64(before, down));
    }
    static void store_four(std::uint64_t *to, std::int64_t stride, __m256i words) noexcept
    {
        store_two(to, stride, _mm256_castsi256_si128(words));
        store_two(to + 2 * stride, stride, _mm256_extracti128_si256(words, 1));
    }
    static void store_two(std::uint64_t *to, std::int64_t stride, __m128i words) noexcept
    {
        _mm_storel_epi64(reinterpret_cast<__m128i *>(to), words);
        _mm_storeh_pd(reinterpret_cast<double *>(to + stride), _mm_castsi128_pd(words));
    }
};
