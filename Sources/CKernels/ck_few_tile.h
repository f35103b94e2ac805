// Products of a few tokens by the tiles of ck_tile_dot.h, straight from the packed form: each tile unpacks the weights anew in
// registers, which its multiplications hide; storing a panel would take as long as multiplying it with three tokens.

/// Tokens up to which that is faster.
enum { CK_NAME(most_few) = 16 };

/// Runs tokens, at least 2, through a chunk of two groups, in tiles of about the same size.
CK_INLINE void CK_NAME(few_tiles)(
    const int type, const int group_size, const int is_wide, const int zero_shift, const int has_bias,
    const uint8_t *const *packed, const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a, int64_t tokens,
    float (*sums)[2][16], const CK_NAME(upcoming) *next) {
  enum { full = CK_TILE_TOKENS, narrow = CK_TILE_TOKENS * 2 / 3 };
  const int most = group_size == 16 ? narrow : full;
  int64_t tiles = (tokens + most - 1) / most, step = 2 * ck_layout(type, 8).bytes / 8 / tiles;
  CK_NAME(tile_source) source = {
    .type = type, .blocks32 = blocks32, .packed = {packed[0], packed[1]}, .lines = packed[0], .lines_step = step};
  for (int64_t t = 0, width; t < tokens; t += width, tiles--) {
    width = (tokens - t + tiles - 1) / tiles;
#define TILE_OF(width)                                                                                           \
  case width:                                                                                                    \
    CK_NAME(begin)(next, 2, width, sums + t);                                                                    \
    CK_NAME(tile_then)(                                                                                          \
        &source, group_size, is_wide, zero_shift, has_bias, 2, width, panels, blocks32, a + t, sums + t,         \
        (struct ck_lines){0}, a, 0);                                                                             \
    CK_NAME(hand_over)(next, 2, t, width, sums);                                                                 \
    break;
    switch (width) {
      TILE_OF(2)
      TILE_OF(3)
      TILE_OF(4)
      if (most == full) {
        TILE_OF(5)
        TILE_OF(6)
      }
    }
#undef TILE_OF
    source.lines += 8 * step;
  }
}

static int CK_NAME(are_few)(const struct ck_matrix *m, int64_t tokens) {
  return tokens <= CK_NAME(most_few) && ck_group_bytes(m->type, m->columns) > 0;
}

/// The rows of `groups` groups from `row`, `rows` of them, with a few tokens.
static void CK_NAME(multiply_few)(
    const struct ck_matrix *m, int64_t row, int64_t rows, int64_t groups, const struct ck_activations *a, float *out,
    int64_t out_stride) {
  ck_panel panels[2];
  _Alignas(64) float sums[CK_NAME(most_few)][2][16];
  _Alignas(64) uint8_t room[2][ck_chunk_bytes];
  int64_t at = 0;
  for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
    int blocks32 = m->columns - column < ck_chunk_columns ? (int)(m->columns - column) / 32 : 8;
    int bytes = ck_layout(m->type, blocks32).bytes;
    const struct ck_activation_chunk *chunk = a->chunks + column / ck_chunk_columns * a->stride;
    const uint8_t *packed[2];
    for (int g = 0; g < groups; g++) packed[g] = CK_NAME(chunk)(m->type, m, row + 16 * g, column, at, bytes, room[g]);
    // A last group without another counts twice.
    if (groups < 2) packed[1] = packed[0];
    CK_NAME(upcoming) next = CK_NAME(upcoming_at)(m, column, (int)groups, rows, out + row, out_stride);
    switch (m->type) {
#define FEW_TILES(constant, group, wide, zero, has_bias)                                                         \
  case constant:                                                                                                 \
    for (int g = 0; g < 2; g++) CK_NAME(scales)(constant, packed[g], blocks32, panels[g].scale, panels[g].bias); \
    CK_NAME(few_tiles)(                                                                                          \
        constant, group, wide, zero, has_bias, packed, panels, blocks32, chunk, a->count, sums, &next);          \
    break;
      PACKED_TYPES(FEW_TILES)
#undef FEW_TILES
    default: break;
    }
    at += bytes;
  }
}
