// ck_multiply for quantized weights, over sixteen rows; see ck_lanes.h. The including file defines
// - dot4: adds the dot product of 4 weights of up to 127 with 4 activations in each lane, and CK_NIBBLE_SHIFT 0 where
//   weights may be up to 255;
// - wide_dot4: the same for weights stored as a signed byte plus 128, and CK_WIDE_ZERO: the zero point it leaves, 128
//   or 0;
// - look_up: a table look-up of 16 bytes;
// - CK_TILE_TOKENS, CK_TILE_GROUPS: tokens and groups of 16 rows of the register tile, and CK_WIDE_TOKENS where wide
//   weights need more registers;
// - CK_SMALL_BATCH_TOKENS, see ck_small_batch_stream.h; or CK_SMALL_BATCH_LIMIT and CK_SMALL_BATCH_OF, see
//   ck_small_batch_tile.h;
// - CK_OWN_LOAD_X4, x4 and load_x4, where it loads activations in another way;
// - CK_DOT_TILE, where it uses the tile of ck_tile_dot.h; or CK_OWN_TILE, tile and arrange, where it rearranges panels
//   for a tile of its own.

#ifdef CK_SMALL_BATCH_LIMIT
#define CK_SMALL_BATCH_TOKENS 1
#endif

// Makes the compiler compute a sum at once. Defined by sets for which it would defer sums until their use, where
// registers run out.
#ifndef CK_AT_ONCE
#define CK_AT_ONCE(sum)
#endif

#include "ck_output_body.h"

// The arguments up to `has_bias` are constants wherever they appear, and so are `groups` and `tokens`.

/// Zero point of the weights while they are multiplied.
CK_INLINE int CK_NAME(zero)(const int is_wide, const int zero_shift, const int has_bias) {
  return has_bias ? 0 : is_wide ? CK_WIDE_ZERO : 1 << zero_shift;
}

/// Initial value of the integer accumulator of sub-block b, or of its half h.
CK_INLINE ck_i16 CK_NAME(start)(
    const int group_size, const int is_wide, const int zero_shift, const int has_bias,
    const struct ck_activation_chunk *a, int b, int h) {
  int32_t minus_sum = group_size == 16 ? a->minus_sum16[2 * b + h] : a->minus_sum32[b];
  return (ck_i16){0} + minus_sum * CK_NAME(zero)(is_wide, zero_shift, has_bias);
}

/// Adds the bias of sub-block b to a sum.
CK_INLINE ck_v16 CK_NAME(add_bias)(
    const int group_size, const float (*bias)[16], const struct ck_activation_chunk *a, int b, ck_v16 sum) {
  if (group_size == 32) return CK_NAME(fma)(CK_NAME(splat)(a->scaled_sum32[b]), CK_NAME(load)(bias[b]), sum);
  sum = CK_NAME(fma)(CK_NAME(splat)(a->scaled_sum16[2 * b]), CK_NAME(load)(bias[2 * b]), sum);
  return CK_NAME(fma)(CK_NAME(splat)(a->scaled_sum16[2 * b + 1]), CK_NAME(load)(bias[2 * b + 1]), sum);
}

/// Adds the scaled part and the bias of sub-block b to a sum.
CK_INLINE ck_v16 CK_NAME(finish)(
    const int group_size, const int has_bias, ck_v16 part, const float (*bias)[16],
    const struct ck_activation_chunk *a, int b, ck_v16 sum) {
  sum = CK_NAME(fma)(part, CK_NAME(splat)(a->d[b]), sum);
  return has_bias ? CK_NAME(add_bias)(group_size, bias, a, b, sum) : sum;
}

#ifndef CK_OWN_LOAD_X4
typedef int32_t CK_NAME(x4);
CK_INLINE CK_NAME(x4) CK_NAME(load_x4)(const struct ck_activation_chunk *a, int column) {
  int32_t x;
  memcpy(&x, a->q + column, 4);
  return x;
}
#endif

#if defined(CK_DOT_TILE)
#include "ck_tile_dot.h"
#elif !defined(CK_OWN_TILE)
/// Register tile: adds the products of a chunk of a panel with `tokens` tokens (a constant) to sums (token, group, 16).
CK_INLINE void CK_NAME(tile)(
    const int group_size, const int is_wide, const int zero_shift, const int has_bias, const int groups,
    const int tokens, const ck_panel *panel, int blocks32, const struct ck_activation_chunk *a, float (*sums)[2][16],
    struct ck_prefetch_lines next) {
  _Static_assert(CK_TILE_GROUPS == 1, "one panel");
  (void)groups;
  (void)next;
  const int halves = 32 / group_size, steps = 8 / halves;
  for (int b = 0; b < blocks32; b++) {
    ck_v16 part[CK_TILE_TOKENS];
    for (int h = 0; h < halves; h++) {
      ck_i16 dot[CK_TILE_TOKENS];
      for (int t = 0; t < tokens; t++) {
        dot[t] = CK_NAME(start)(group_size, is_wide, zero_shift, has_bias, a + t, b, h);
      }
      for (int j = steps * h; j < steps * h + steps; j++) {
        ck_u16 w = CK_NAME(words)(panel->q[8 * b + j]);
        for (int t = 0; t < tokens; t++) {
          CK_NAME(x4) x = CK_NAME(load_x4)(a + t, 32 * b + 4 * j);
          dot[t] = is_wide ? CK_NAME(wide_dot4)(dot[t], w, x) : CK_NAME(dot4)(dot[t], w, x);
        }
      }
      ck_v16 scale = CK_NAME(load)(panel->scale[halves * b + h]);
      for (int t = 0; t < tokens; t++) {
        ck_v16 value = __builtin_convertvector(dot[t], ck_v16);
        part[t] = h == 0 ? value * scale : CK_NAME(fma)(value, scale, part[t]);
      }
    }
    for (int t = 0; t < tokens; t++) {
      ck_v16 sum = CK_NAME(load)(sums[t][0]);
      sum = CK_NAME(finish)(group_size, has_bias, part[t], panel->bias, a + t, b, sum);
      CK_NAME(store)(sums[t][0], sum);
    }
  }
}
#endif

#ifdef CK_TILE_SOURCE
/// Register tile of panels, which prefetches the next tile of as many tokens.
CK_INLINE void CK_NAME(tile)(
    const int group_size, const int is_wide, const int zero_shift, const int has_bias, const int groups,
    const int tokens, const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a, float (*sums)[2][16],
    struct ck_prefetch_lines next) {
  const CK_NAME(tile_source) source = {.type = CK_NAME(in_panels)};
  CK_NAME(tile_and_prefetch)(
      &source, group_size, is_wide, zero_shift, has_bias, groups, tokens, panels, blocks32, a, sums, next, a + tokens,
      tokens);
}
#endif

/// Context of a tile: whether its sums start with this chunk, the weights to prefetch, and after the last chunk the
/// output.
typedef struct {
  int is_first;
  struct ck_prefetch_lines lines;
  const struct ck_output *to;  // or NULL
  int64_t row, rows, token;    // first row, number of rows, first token
} CK_NAME(tile_context);

/// Context of the chunk at `column` of `groups` groups of rows `row ..< end` (at most), for tokens from `token` on.
CK_INLINE CK_NAME(tile_context) CK_NAME(tile_context_at)(
    const struct ck_matrix *m, int64_t column, int groups, const struct ck_output *to, int64_t row, int64_t end,
    int64_t token) {
  CK_NAME(tile_context) next = {.is_first = column == 0, .row = row, .token = token};
  if (column + ck_chunk_columns >= m->columns) next.to = to;
  next.rows = end - row < 16 * groups ? end - row : 16 * groups;
  return next;
}

/// Sums (token, group, 16) from a group on.
CK_INLINE float (*CK_NAME(sums_from)(float (*sums)[2][16], int64_t group))[2][16] {
  return (float (*)[2][16])(void *)sums[0][group];
}

/// Stores the sums of `rows` rows of one token; whole groups without a call of memcpy.
CK_INLINE void CK_NAME(store_rows)(float (*sums)[16], const int groups, int64_t rows, float *out) {
  if (rows < 16 * groups) memcpy(out, sums, (size_t)rows * sizeof(float));
  else for (int g = 0; g < groups; g++) CK_NAME(store)(out + 16 * g, CK_NAME(load)(sums[g]));
}

/// Zeroes the sums of a tile in the first chunk. Tile by tile: all at once, they would not stay in L1.
CK_INLINE void CK_NAME(zero_sums)(
    const CK_NAME(tile_context) *next, const int groups, const int tokens, float (*sums)[2][16]) {
  if (!next->is_first) return;
  for (int t = 0; t < tokens; t++) {
    for (int g = 0; g < groups; g++) CK_NAME(store)(sums[t][g], (ck_v16){0});
  }
}

/// Applies bias and activation to the sums of a tile after the last chunk and stores them. Tile by tile: all at once,
/// the stores would stall on cache misses.
CK_INLINE void CK_NAME(store_results)(
    const CK_NAME(tile_context) *next, const int groups, int64_t first, int64_t tokens, float (*sums)[2][16]) {
  if (!next->to) return;
  CK_NAME(end_rows)(next->to, next->row, next->rows, tokens, sums[first][0], 32);
  for (int64_t t = first; t < first + tokens; t++) {
    CK_NAME(store_rows)(sums[t], groups, next->rows, CK_NAME(place)(next->to, next->token + t, next->row));
  }
}

#ifndef CK_WIDE_TOKENS
#define CK_WIDE_TOKENS CK_TILE_TOKENS
#endif

#ifdef CK_LONG_TILE
/// Multiplies as many tokens as fill long tiles with a chunk of two panels, one panel after the other. Returns their
/// number; the arguments up to `has_bias` are constants.
CK_INLINE int64_t CK_NAME(long_tiles)(
    const int group_size, const int is_wide, const int zero_shift, const int has_bias, const ck_panel *panels,
    int blocks32, const struct ck_activation_chunk *a, int64_t tokens, float (*sums)[2][16],
    const CK_NAME(tile_context) *next) {
  const int length = group_size == 16 ? CK_LONG_TILE * 2 / 3 : CK_LONG_TILE;
  int64_t t = 0;
  for (; t + length <= tokens; t += length) {
    CK_NAME(zero_sums)(next, 2, length, sums + t);
    for (int g = 0; g < 2; g++) {
      const struct ck_activation_chunk *coming = a + t + length + length / 2 * g;
      const CK_NAME(tile_source) source = {.type = CK_NAME(in_panels)};
      CK_NAME(tile_and_prefetch)(
          &source, group_size, is_wide, zero_shift, has_bias, 1, length, panels + g, blocks32, a + t,
          CK_NAME(sums_from)(sums + t, g),
          ck_prefetch_share(next->lines, 2 * t + length * g, 2 * t + length * (g + 1), 2 * tokens), coming, length / 2);
    }
    CK_NAME(store_results)(next, 2, t, length, sums);
  }
  return t;
}
#endif

/// Multiplies all tokens with a chunk of panels in tiles; the arguments up to `groups` are constants.
CK_INLINE void CK_NAME(tiles)(
    const int group_size, const int is_wide, const int zero_shift, const int has_bias, const int groups,
    const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a, int64_t tokens, float (*sums)[2][16],
    const CK_NAME(tile_context) *next) {
  enum { full = CK_TILE_TOKENS, narrow = CK_TILE_TOKENS * 2 / 3 };
  const int width = group_size == 16 ? narrow : is_wide ? CK_WIDE_TOKENS : full;
  int64_t t = 0;
#ifdef CK_LONG_TILE
  if (groups == 2 && ck_has_long_tiles()) {
    t = CK_NAME(long_tiles)(group_size, is_wide, zero_shift, has_bias, panels, blocks32, a, tokens, sums, next);
  }
#endif
#define TILES_OF(width)                                                                                        \
  for (; t + (width) <= tokens; t += (width)) {                                                                \
    CK_NAME(zero_sums)(next, groups, width, sums + t);                                                         \
    CK_NAME(tile)(                                                                                             \
        group_size, is_wide, zero_shift, has_bias, groups, width, panels, blocks32, a + t, sums + t,           \
        ck_prefetch_share(next->lines, t, t + (width), tokens));                                               \
    CK_NAME(store_results)(next, groups, t, width, sums);                                                      \
  }
  TILES_OF(width)
  if (width > 4) TILES_OF(4)
  if (width > 3) TILES_OF(3)
  TILES_OF(2)
  TILES_OF(1)
#undef TILES_OF
}

static void CK_NAME(multiply_panels)(
    struct ck_traits t, const int groups, const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a,
    int64_t tokens, float (*sums)[2][16], const CK_NAME(tile_context) *next) {
#define TILES(group, wide, zero, bias)                                                                         \
  if (groups == CK_TILE_GROUPS) {                                                                              \
    CK_NAME(tiles)(group, wide, zero, bias, CK_TILE_GROUPS, panels, blocks32, a, tokens, sums, next);          \
  } else {                                                                                                     \
    CK_NAME(tiles)(group, wide, zero, bias, 1, panels, blocks32, a, tokens, sums, next);                       \
  }
  // Constants, so that a set knows how large weights are; with a bias the zero point tells nothing else.
  if (t.group == 32) {
    if (t.has_bias && t.highest_bit == 3) { TILES(32, 0, 3, 1) }
    else if (t.has_bias) { TILES(32, 0, 4, 1) }
    else if (t.zero_shift == 7) { TILES(32, 1, 7, 0) }
    else if (t.zero_shift == 4) { TILES(32, 0, 4, 0) }
    else if (t.zero_shift == 3) { TILES(32, 0, 3, 0) }
    else { TILES(32, 0, 0, 0) }
  } else {
    if (t.has_bias) { TILES(16, 0, 1, 1) }
    else if (t.zero_shift == 7) { TILES(16, 1, 7, 0) }
    else if (t.zero_shift == 5) { TILES(16, 0, 5, 0) }
    else { TILES(16, 0, 2, 0) }
  }
#undef TILES
}

// BLOCK(blocks32, b) for every sub-block; unrolled for whole chunks, so that offsets and shifts are constants.
#define EACH_BLOCK(blocks32)                                                                              \
  if (blocks32 == 8) {                                                                                    \
    BLOCK(8, 0) BLOCK(8, 1) BLOCK(8, 2) BLOCK(8, 3) BLOCK(8, 4) BLOCK(8, 5) BLOCK(8, 6) BLOCK(8, 7)       \
  } else {                                                                                                \
    for (int b = 0; b < blocks32; b++) { BLOCK(blocks32, b) }                                             \
  }

/// Unpacks a packed chunk to a panel.
CK_INLINE void CK_NAME(unpack)(const int type, const uint8_t *chunk, int blocks32, ck_panel *panel) {
  CK_NAME(scales)(type, chunk, blocks32, panel->scale, panel->bias);
#define BLOCK(blocks32, b)                                         \
  for (int j = 0; j < 8; j++) {                                    \
    ck_u16 w = CK_NAME(columns4)(type, chunk, blocks32, b, j);     \
    memcpy(panel->q[8 * (b) + j], &w, sizeof w);                   \
  }
  EACH_BLOCK(blocks32)
#undef BLOCK
}

typedef struct {
  _Alignas(64) float scale[16][16], bias[16][16];
} CK_NAME(chunk_scales);

/// Multiplies `tokens` tokens (a constant) with the sub-blocks from b that are unpacked together, of one group of 16
/// rows, straight from the packed form. Where `prefetches` (a constant), the lines of `ahead` are prefetched, one or
/// two at a time.
CK_INLINE void CK_NAME(multiply_blocks)(
    const int type, const int group_size, const int is_wide, const int zero_shift, const int has_bias,
    const int tokens, const int prefetches, int blocks32, int b, const uint8_t *packed, struct ck_prefetch ahead,
    const CK_NAME(chunk_scales) *scales, const struct ck_activation_chunk *const *a, ck_v16 *sum) {
  const int n = CK_NAME(together)(type, blocks32);
  const int halves = group_size == 16 ? 2 : 1, steps = 8 / halves;
  int lines = ck_layout(type, blocks32).bytes / 64;
  int first = b * lines / blocks32, count = (b + n) * lines / blocks32 - first;
  ck_v16 part[4][CK_SMALL_BATCH_TOKENS];
  CK_UNROLL
  for (int h = 0; h < halves; h++) {
    ck_i16 dot[4][CK_SMALL_BATCH_TOKENS];
    CK_UNROLL
    for (int s = 0; s < n; s++) {
      CK_UNROLL
      for (int t = 0; t < tokens; t++) {
        dot[s][t] = CK_NAME(start)(group_size, is_wide, zero_shift, has_bias, a[t], b + s, h);
      }
    }
#pragma unroll
    for (int j = steps * h; j < steps * h + steps; j++) {
      for (int i = first + j * count / 8; prefetches && i < first + (j + 1) * count / 8; i++) {
        ck_prefetch_line(ahead, i);
      }
      CK_UNROLL
      for (int s = 0; s < n; s++) {
        ck_u16 w = CK_NAME(columns4)(type, packed, blocks32, b + s, j);
        CK_UNROLL
        for (int t = 0; t < tokens; t++) {
          CK_NAME(x4) x = CK_NAME(load_x4)(a[t], 32 * (b + s) + 4 * j);
          dot[s][t] = is_wide ? CK_NAME(wide_dot4)(dot[s][t], w, x) : CK_NAME(dot4)(dot[s][t], w, x);
          // Four sub-blocks have more accumulators than there are registers, in any order.
          if (n < 4) CK_AT_ONCE(dot[s][t]);
        }
      }
    }
    CK_UNROLL
    for (int s = 0; s < n; s++) {
      ck_v16 scale = CK_NAME(load)(scales->scale[halves * (b + s) + h]);
      CK_UNROLL
      for (int t = 0; t < tokens; t++) {
        ck_v16 value = __builtin_convertvector(dot[s][t], ck_v16);
        part[s][t] = h == 0 ? value * scale : CK_NAME(fma)(value, scale, part[s][t]);
      }
    }
  }
  CK_UNROLL
  for (int s = 0; s < n; s++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      sum[t] = CK_NAME(finish)(group_size, has_bias, part[s][t], scales->bias, a[t], b + s, sum[t]);
    }
  }
}

/// Address of a packed chunk of 16 rows, `at` bytes into its group. For a stored matrix it is packed into `buffer`, and
/// the same chunk of the next rows is prefetched.
CK_INLINE const uint8_t *CK_NAME(chunk)(
    const int type, const struct ck_matrix *m, int64_t row, int64_t column, int64_t at, int bytes, uint8_t *buffer) {
  if (m->is_packed) return m->data + ck_chunk_place(type, m, row, at, bytes);
  ck_prefetch_next_rows(m, row, column);
  CK_NAME(pack_chunk)(m, row / 16, column, buffer);
  return buffer;
}

/// Multiplies one token with `groups` times 16 rows from `row`; results go to `out` (group, 16).
CK_INLINE void CK_NAME(multiply_vector)(
    const int type, const int group_size, const int is_wide, const int zero_shift, const int has_bias,
    const int prefetches, const struct ck_matrix *m, int64_t row, int64_t groups, const struct ck_activations *a,
    float (*out)[16]) {
  ck_v16 sums[2] = {{0}};
  const struct ck_activation_chunk *chunk = a->chunks;
  CK_NAME(chunk_scales) scales;
  _Alignas(64) uint8_t buffer[ck_chunk_bytes];
  int64_t at = 0;
  for (int64_t column = 0; column < m->columns; column += ck_chunk_columns, chunk += a->stride) {
    int blocks32 = m->columns - column < ck_chunk_columns ? (int)(m->columns - column) / 32 : 8;
    int bytes = ck_layout(type, blocks32).bytes;
    for (int64_t g = 0; g < groups; g++) {
      const uint8_t *packed = CK_NAME(chunk)(type, m, row + 16 * g, column, at, bytes, buffer);
      struct ck_prefetch ahead = ck_prefetch_of(m, packed);
      if (!prefetches && m->is_packed) ck_prefetch_page_starts(packed, bytes);
      CK_NAME(scales)(type, packed, blocks32, scales.scale, scales.bias);
      ck_v16 sum = sums[g];
#define BLOCK(blocks32, b)                                                                                           \
  if ((b) % CK_NAME(together)(type, blocks32) == 0)                                                                  \
    CK_NAME(multiply_blocks)(                                                                                        \
        type, group_size, is_wide, zero_shift, has_bias, 1, prefetches, blocks32, b, packed, ahead, &scales, &chunk, \
        &sum);
      EACH_BLOCK(blocks32)
#undef BLOCK
      sums[g] = sum;
    }
    at += bytes;
  }
  // A loop would be compiled to a call of memcpy.
  CK_NAME(store)(out[0], sums[0]);
  if (groups > 1) CK_NAME(store)(out[1], sums[1]);
}

// Type, values per scale, whether wide, shift of the zero point (with a bias: highest bit of a weight), whether biased.
#define PACKED_TYPES(DO)                                                                                         \
  DO(CK_Q4_0, 32, 0, 3, 0) DO(CK_Q4_1, 32, 0, 3, 1) DO(CK_Q5_0, 32, 0, 4, 0) DO(CK_Q5_1, 32, 0, 4, 1)            \
  DO(CK_Q8_0, 32, 1, 7, 0) DO(CK_IQ4_NL, 32, 1, 7, 0) DO(CK_MXFP4, 32, 1, 7, 0) DO(CK_Q2_K, 16, 0, 1, 1)         \
  DO(CK_Q3_K, 16, 0, 2, 0) DO(CK_Q4_K, 32, 0, 3, 1) DO(CK_Q5_K, 32, 0, 4, 1) DO(CK_Q6_K, 16, 0, 5, 0)            \
  DO(CK_IQ4_XS, 32, 1, 7, 0)

static void CK_NAME(unpack_chunk)(int type, const uint8_t *chunk, int blocks32, ck_panel *panel) {
  switch (type) {
#define UNPACK(type, group, wide, zero, bias) \
  case type: CK_NAME(unpack)(type, chunk, blocks32, panel); break;
    PACKED_TYPES(UNPACK)
#undef UNPACK
  default: break;
  }
}

#define MULTIPLY_VECTOR(type, group, wide, zero, bias)                                                           \
  case type:                                                                                                     \
    if (ck_uses_prefetch(m)) CK_NAME(multiply_vector)(type, group, wide, zero, bias, 1, m, row, groups, a, out); \
    else CK_NAME(multiply_vector)(type, group, wide, zero, bias, 0, m, row, groups, a, out);                     \
    break;

static void CK_NAME(multiply_groups)(
    const struct ck_matrix *m, int64_t row, int64_t groups, const struct ck_activations *a, float (*out)[16]) {
  switch (m->type) {
    PACKED_TYPES(MULTIPLY_VECTOR)
  default: break;
  }
}
#undef MULTIPLY_VECTOR

/// Decodes a panel of stored rows; rows beyond the matrix become zeros.
static void CK_NAME(decode_panel)(
    const struct ck_matrix *m, struct ck_traits t, int64_t row, int64_t first, int64_t count, ck_panel *panel) {
  for (int r = 0; r < 16; r++) {
    uint8_t q[256] = {0};
    float scale[16] = {0}, bias[16] = {0};
    if (row + r < m->rows) {
      const uint8_t *blocks = m->data + (row + r) * m->row_bytes + first / t.block_size * t.block_bytes;
      ck_decode(m->type, blocks, count, q, scale, bias);
    }
    for (int64_t i = 0; i < count / 4; i++) memcpy(panel->q[i] + 4 * r, q + 4 * i, 4);
    for (int64_t i = 0; i < count / t.group; i++) {
      panel->scale[i][r] = scale[i];
      panel->bias[i][r] = bias[i];
    }
  }
}

/// Fills a panel with 16 rows from `row`; `at` is the offset of the chunk in a packed group.
static void CK_NAME(fill_panel)(
    const struct ck_matrix *m, struct ck_traits t, int64_t row, int64_t column, int64_t at, int blocks32,
    ck_panel *panel) {
  _Alignas(64) uint8_t buffer[ck_chunk_bytes];
  int bytes = ck_layout(m->type, blocks32).bytes;
  if (bytes == 0) CK_NAME(decode_panel)(m, t, row, column, 32 * blocks32, panel);
  else CK_NAME(unpack_chunk)(m->type, CK_NAME(chunk)(m->type, m, row, column, at, bytes, buffer), blocks32, panel);
}

/// Multiplies all tokens with `groups` times 16 rows.
static void CK_NAME(multiply_rows)(
    const struct ck_matrix *m, struct ck_traits t, int64_t row, int64_t row_count, int64_t groups,
    const struct ck_activations *a, const struct ck_output *to) {
  ck_panel panels[CK_TILE_GROUPS];
  _Alignas(64) float sums[ck_token_block][2][16];
  for (int64_t base = 0; base < a->count; base += ck_token_block) {
    int64_t tokens = a->count - base < ck_token_block ? a->count - base : ck_token_block;
    int64_t at = 0;
    for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
      int blocks32 = m->columns - column < ck_chunk_columns ? (int)(m->columns - column) / 32 : 8;
      int64_t bytes = ck_layout(m->type, blocks32).bytes;
      const struct ck_activation_chunk *chunk = a->chunks + column / ck_chunk_columns * a->stride + base;
      for (int64_t first = 0; first < groups; first += CK_TILE_GROUPS) {
        int count = groups - first < CK_TILE_GROUPS ? 1 : CK_TILE_GROUPS;
        int64_t first_row = row + 16 * first, end = row + row_count;
        for (int g = 0; g < count; g++) {
          CK_NAME(fill_panel)(m, t, first_row + 16 * g, column, at, blocks32, &panels[g]);
#ifdef CK_OWN_TILE
          CK_NAME(arrange)(t, blocks32, &panels[g]);
#endif
        }
        CK_NAME(tile_context) next = CK_NAME(tile_context_at)(m, column, count, to, first_row, end, base);
        if (m->is_packed) {
          // Prefetches the chunks after the next ones, which may belong to the next rows.
          int64_t place = ck_chunk_place(m->type, m, first_row, at, bytes) + 2 * count * bytes;
          next.lines = (struct ck_prefetch_lines){m->data + place, count * bytes / 64};
        }
        CK_NAME(multiply_panels)(t, count, panels, blocks32, chunk, tokens, CK_NAME(sums_from)(sums, first), &next);
      }
      at += bytes;
    }
  }
}

#ifdef CK_SMALL_BATCH_LIMIT
#include "ck_small_batch_tile.h"
#else
#include "ck_small_batch_stream.h"
#endif

void CK_NAME(multiply_quantized)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to) {
  struct ck_traits t = ck_type_traits(m->type);
  int64_t end = first_row + row_count, groups;
  int is_packable = ck_group_bytes(m->type, m->columns) > 0;
  for (int64_t row = first_row; row < end; row += 16 * groups) {
    groups = ck_groups_together(row, end);
    int64_t rows = end - row < 16 * groups ? end - row : 16 * groups;
    if (a->count == 1 && is_packable) {
      float sums[2][16];
      int is_whole = rows == 16 * groups;
      CK_NAME(multiply_groups)(m, row, groups, a, is_whole ? (float (*)[16])(void *)(to->start + row) : sums);
      if (!is_whole) memcpy(to->start + row, sums, (size_t)rows * sizeof(float));
      CK_NAME(end_rows)(to, row, rows, 1, to->start + row, 0);
    } else if (CK_NAME(is_small_batch)(m, a->count)) {
      CK_NAME(multiply_small_batch)(m, row, rows, groups, a, to);
    } else {
      CK_NAME(multiply_rows)(m, t, row, rows, groups, a, to);
    }
  }
}

#include "ck_activations_body.h"
