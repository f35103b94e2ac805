// Products of a small batch by register tiles, straight from the packed form: each tile unpacks the weights again in
// registers, which its multiplications hide; storing a panel would take as long as multiplying it with three tokens. A
// set defines CK_SMALL_BATCH_OF(type), the number of tokens up to which that is faster, and CK_SMALL_BATCH_LIMIT, its
// maximum.

/// Multiplies tokens, at least 2, with a chunk of CK_TILE_GROUPS groups, in tiles of about the same size.
CK_INLINE void CK_NAME(small_batch_tiles)(
    const int type, const int group_size, const int is_wide, const int zero_shift, const int has_bias,
    const uint8_t *const *packed, const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a,
    int64_t tokens, float (*sums)[2][16], const CK_NAME(tile_context) *next) {
  enum { groups = CK_TILE_GROUPS, full = CK_TILE_TOKENS, narrow = CK_TILE_TOKENS * 2 / 3 };
  const int most = group_size == 16 ? narrow : is_wide ? CK_WIDE_TOKENS : full;
  int64_t tiles = (tokens + most - 1) / most, step = groups * ck_layout(type, 8).bytes / 8 / tiles;
  // Field by field, so that the compiler sees early that the type is a constant.
  CK_NAME(tile_source) source = {
    .type = type, .blocks32 = blocks32, .packed = {packed[0], packed[groups - 1]}, .lines = packed[0],
    .lines_step = step};
  for (int64_t t = 0, width; t < tokens; t += width, tiles--) {
    width = (tokens - t + tiles - 1) / tiles;
#define TILE_OF(width)                                                                                           \
  case width:                                                                                                    \
    CK_NAME(zero_sums)(next, groups, width, sums + t);                                                           \
    CK_NAME(tile_and_prefetch)(                                                                                  \
        &source, group_size, is_wide, zero_shift, has_bias, groups, width, panels, blocks32, a + t, sums + t,    \
        (struct ck_prefetch_lines){0}, a, 0);                                                                    \
    CK_NAME(store_results)(next, groups, t, width, sums);                                                        \
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

static int CK_NAME(is_small_batch)(const struct ck_matrix *m, int64_t tokens) {
  return tokens <= CK_SMALL_BATCH_OF(m->type) && ck_group_bytes(m->type, m->columns) > 0;
}

/// Multiplies a small batch with `rows` rows, in `groups` groups, from `row`.
static void CK_NAME(multiply_small_batch)(
    const struct ck_matrix *m, int64_t row, int64_t rows, int64_t groups, const struct ck_activations *a,
    const struct ck_output *to) {
  ck_panel panels[CK_TILE_GROUPS];
  _Alignas(64) float sums[CK_SMALL_BATCH_LIMIT][2][16];
  _Alignas(64) uint8_t buffer[CK_TILE_GROUPS][ck_chunk_bytes];
  int64_t at = 0;
  for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
    int blocks32 = m->columns - column < ck_chunk_columns ? (int)(m->columns - column) / 32 : 8;
    int bytes = ck_layout(m->type, blocks32).bytes;
    const struct ck_activation_chunk *chunk = a->chunks + column / ck_chunk_columns * a->stride;
    for (int64_t first = 0; first < groups; first += CK_TILE_GROUPS) {
      const uint8_t *packed[CK_TILE_GROUPS];
      // A last group without a partner is computed twice.
      for (int g = 0; g < CK_TILE_GROUPS; g++) {
        int64_t group = first + g < groups ? first + g : first;
        packed[g] = CK_NAME(chunk)(m->type, m, row + 16 * group, column, at, bytes, buffer[g]);
      }
      CK_NAME(tile_context) next =
          CK_NAME(tile_context_at)(m, column, CK_TILE_GROUPS, to, row + 16 * first, row + rows, 0);
      switch (m->type) {
#define BATCH_TILES(constant, group, wide, zero, has_bias)                                                       \
  case constant:                                                                                                 \
    for (int g = 0; g < CK_TILE_GROUPS; g++) {                                                                   \
      CK_NAME(scales)(constant, packed[g], blocks32, panels[g].scale, panels[g].bias);                           \
    }                                                                                                            \
    CK_NAME(small_batch_tiles)(                                                                                  \
        constant, group, wide, zero, has_bias, packed, panels, blocks32, chunk, a->count,                        \
        CK_NAME(sums_from)(sums, first), &next);                                                                 \
    break;
        PACKED_TYPES(BATCH_TILES)
#undef BATCH_TILES
      default: break;
      }
    }
    at += bytes;
  }
}
