// ck_multiply over sixteen rows; see ck_lanes.h. The including file defines dot4 and look_up.

/// Adds 32 columns (b of the chunk) of `groups` times 16 rows for `tokens` tokens to their sums.
/// `groups`, `tokens` and the traits are constants.
CK_INLINE void CK_NAME(add_columns32)(
    const int group_size, const int zero_shift, const int has_bias, const int groups, const int tokens,
    const uint8_t *const *q, const float (*const *scale)[16], const float (*const *bias)[16],
    const struct ck_activation_chunk *a, int b, ck_v16 (*sum)[CK_TILE_TOKENS]) {
  const int halves = group_size == 16 ? 2 : 1, steps = 8 / halves;
  ck_v16 part[2][CK_TILE_TOKENS];
  for (int h = 0; h < halves; h++) {
    ck_i16 dot[2][CK_TILE_TOKENS];
    for (int t = 0; t < tokens; t++) {
      ck_i16 start = {0};
      if (!has_bias) start += (halves == 2 ? a[t].minus_sum16[2 * b + h] : a[t].minus_sum32[b]) * (1 << zero_shift);
      for (int g = 0; g < groups; g++) dot[g][t] = start;
    }
    for (int j = 0; j < steps; j++) {
      ck_u16 w[2];
      for (int g = 0; g < groups; g++) w[g] = CK_NAME(words)(q[g] + 64 * (8 * b + steps * h + j));
      for (int t = 0; t < tokens; t++) {
        int32_t x;
        memcpy(&x, a[t].q + 32 * b + 4 * (steps * h + j), 4);
        for (int g = 0; g < groups; g++) dot[g][t] = CK_NAME(dot4)(dot[g][t], w[g], x);
      }
    }
    for (int g = 0; g < groups; g++) {
      ck_v16 s = CK_NAME(load)(scale[g][halves * b + h]);
      for (int t = 0; t < tokens; t++) {
        ck_v16 value = __builtin_convertvector(dot[g][t], ck_v16);
        part[g][t] = h == 0 ? value * s : CK_NAME(fma)(value, s, part[g][t]);
      }
    }
  }
  for (int g = 0; g < groups; g++) {
    for (int t = 0; t < tokens; t++) {
      sum[g][t] = CK_NAME(fma)(part[g][t], CK_NAME(all)(a[t].d[b]), sum[g][t]);
      if (has_bias && halves == 1) {
        sum[g][t] = CK_NAME(fma)(CK_NAME(all)(a[t].scaled_sum32[b]), CK_NAME(load)(bias[g][b]), sum[g][t]);
      }
      if (has_bias && halves == 2) {
        for (int h = 0; h < 2; h++) {
          ck_v16 m = CK_NAME(load)(bias[g][2 * b + h]);
          sum[g][t] = CK_NAME(fma)(CK_NAME(all)(a[t].scaled_sum16[2 * b + h]), m, sum[g][t]);
        }
      }
    }
  }
}

/// Adds a chunk of `groups` panels for `tokens` tokens to sums of (token, group, 16).
CK_INLINE void CK_NAME(tile)(
    const int group_size, const int zero_shift, const int has_bias, const int groups, const int tokens,
    const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a, float (*sums)[2][16]) {
  ck_v16 sum[2][CK_TILE_TOKENS];
  const uint8_t *q[2] = {panels[0].q[0], panels[1].q[0]};
  const float (*const scale[2])[16] = {panels[0].scale, panels[1].scale};
  const float (*const bias[2])[16] = {panels[0].bias, panels[1].bias};
  for (int g = 0; g < groups; g++) {
    for (int t = 0; t < tokens; t++) sum[g][t] = CK_NAME(load)(sums[t][g]);
  }
  for (int b = 0; b < blocks32; b++) {
    // A line of each token of the next tile: the tokens of a chunk stream through the cache once for every 32 rows.
    for (int t = 0; t < tokens; t++) __builtin_prefetch((const uint8_t *)(a + tokens + t) + 64 * b);
    CK_NAME(add_columns32)(group_size, zero_shift, has_bias, groups, tokens, q, scale, bias, a, b, sum);
  }
  for (int g = 0; g < groups; g++) {
    for (int t = 0; t < tokens; t++) CK_NAME(store)(sums[t][g], sum[g][t]);
  }
}

/// Weights that the next chunk will unpack, fetched while this one multiplies.
typedef struct {
  const uint8_t *start;
  int64_t group_bytes;  // from one group of rows to the next
  int64_t lines;        // of 64 bytes in each group
} CK_NAME(upcoming);

CK_INLINE void CK_NAME(fetch)(const CK_NAME(upcoming) *next, const int groups, int64_t part, int64_t parts, int64_t width) {
  for (int64_t i = part * next->lines / parts; i < (part + width) * next->lines / parts; i++) {
    for (int g = 0; g < groups; g++) __builtin_prefetch(next->start + g * next->group_bytes + 64 * i);
  }
}

/// Runs all tokens through a chunk of panels in tiles; the first four arguments are constants.
CK_INLINE void CK_NAME(tiles)(
    const int group_size, const int zero_shift, const int has_bias, const int groups, const ck_panel *panels,
    int blocks32, const struct ck_activation_chunk *a, int64_t tokens, float (*sums)[2][16],
    const CK_NAME(upcoming) *next) {
  enum { full = CK_TILE_TOKENS, narrow = CK_TILE_TOKENS * 2 / 3 };
  const int width = group_size == 16 ? narrow : full;
  int64_t t = 0;
  for (; t + width <= tokens; t += width) {
    CK_NAME(fetch)(next, groups, t, tokens, width);
    CK_NAME(tile)(group_size, zero_shift, has_bias, groups, width, panels, blocks32, a + t, sums + t);
  }
  for (; t + 2 <= tokens; t += 2) {
    CK_NAME(tile)(group_size, zero_shift, has_bias, groups, 2, panels, blocks32, a + t, sums + t);
  }
  if (t < tokens) CK_NAME(tile)(group_size, zero_shift, has_bias, groups, 1, panels, blocks32, a + t, sums + t);
}

static void CK_NAME(multiply_panels)(
    struct ck_traits t, const int groups, const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a,
    int64_t tokens, float (*sums)[2][16], const CK_NAME(upcoming) *next) {
#define TILES(group, zero, bias)                                                                      \
  if (groups == 2) CK_NAME(tiles)(group, zero, bias, 2, panels, blocks32, a, tokens, sums, next);     \
  else CK_NAME(tiles)(group, zero, bias, 1, panels, blocks32, a, tokens, sums, next)
  if (t.has_bias) {
    if (t.group == 32) { TILES(32, -1, 1); } else { TILES(16, -1, 1); }
  } else {
    if (t.group == 32) { TILES(32, t.zero_shift, 0); } else { TILES(16, t.zero_shift, 0); }
  }
#undef TILES
}

/// A packed chunk to a panel.
CK_INLINE void CK_NAME(unpack)(const int type, const uint8_t *chunk, int blocks32, ck_panel *panel) {
  CK_NAME(scales)(type, chunk, blocks32, panel->scale, panel->bias);
  for (int b = 0; b < blocks32; b++) {
    ck_u16 w[8];
    CK_NAME(columns32)(type, chunk, blocks32, b, w);
    for (int j = 0; j < 8; j++) memcpy(panel->q[8 * b + j], &w[j], 64);
  }
}

typedef struct {
  _Alignas(64) float scale[16][16], bias[16][16];
} CK_NAME(chunk_scales);

/// One token with 32 columns of one group of 16 rows, straight from the packed form; the first arguments are constants.
CK_INLINE ck_v16 CK_NAME(multiply_block)(
    const int type, const int group_size, const int zero_shift, const int has_bias, int blocks32, int b,
    const uint8_t *packed, const CK_NAME(chunk_scales) *scales, const struct ck_activation_chunk *a, ck_v16 start) {
  const float (*const scale[2])[16] = {scales->scale, scales->scale};
  const float (*const bias[2])[16] = {scales->bias, scales->bias};
  ck_v16 sum[1][CK_TILE_TOKENS];
  ck_u16 w[8];
  sum[0][0] = start;
  CK_NAME(columns32)(type, packed, blocks32, b, w);
  // add_columns32 looks for block b; here it is alone.
  const uint8_t *q[2] = {(const uint8_t *)w - 512 * b, (const uint8_t *)w - 512 * b};
  CK_NAME(add_columns32)(group_size, zero_shift, has_bias, 1, 1, q, scale, bias, a, b, sum);
  return sum[0][0];
}

/// One token with one group of 16 rows.
CK_INLINE void CK_NAME(multiply_vector)(
    const int type, const int group_size, const int zero_shift, const int has_bias, const uint8_t *packed,
    int64_t columns, const struct ck_activations *a, float *out) {
  ck_v16 sum = {0};
  const struct ck_activation_chunk *chunk = a->chunks;
  CK_NAME(chunk_scales) scales;
#define BLOCK(blocks32, b) \
  sum = CK_NAME(multiply_block)(type, group_size, zero_shift, has_bias, blocks32, b, packed, &scales, chunk, sum)
  for (; columns >= ck_chunk_columns; columns -= ck_chunk_columns, chunk += a->stride) {
    CK_NAME(scales)(type, packed, 8, scales.scale, scales.bias);
    // Written out so that the shifts of each block are constants.
    BLOCK(8, 0);
    BLOCK(8, 1);
    BLOCK(8, 2);
    BLOCK(8, 3);
    BLOCK(8, 4);
    BLOCK(8, 5);
    BLOCK(8, 6);
    BLOCK(8, 7);
    packed += ck_layout(type, 8).bytes;
  }
  if (columns > 0) {
    int blocks32 = (int)columns / 32;
    CK_NAME(scales)(type, packed, blocks32, scales.scale, scales.bias);
    for (int b = 0; b < blocks32; b++) BLOCK(blocks32, b);
  }
#undef BLOCK
  CK_NAME(store)(out, sum);
}

#define PACKED_TYPES(DO)                                                                                        \
  DO(CK_Q4_0, 32, 3, 0) DO(CK_Q4_1, 32, -1, 1) DO(CK_Q5_0, 32, 4, 0) DO(CK_Q5_1, 32, -1, 1) DO(CK_Q8_0, 32, 7, 0) \
  DO(CK_IQ4_NL, 32, 7, 0) DO(CK_MXFP4, 32, 7, 0) DO(CK_Q2_K, 16, -1, 1) DO(CK_Q3_K, 16, 2, 0)                   \
  DO(CK_Q4_K, 32, -1, 1) DO(CK_Q5_K, 32, -1, 1) DO(CK_Q6_K, 16, 5, 0) DO(CK_IQ4_XS, 32, 7, 0)

static void CK_NAME(unpack_chunk)(int type, const uint8_t *chunk, int blocks32, ck_panel *panel) {
  switch (type) {
#define UNPACK(type, group, zero, bias) \
  case type: CK_NAME(unpack)(type, chunk, blocks32, panel); break;
    PACKED_TYPES(UNPACK)
#undef UNPACK
  default: break;
  }
}

static void CK_NAME(multiply_group)(
    const struct ck_matrix *m, const uint8_t *packed, const struct ck_activations *a, float out[16]) {
  switch (m->type) {
#define MULTIPLY(type, group, zero, bias) \
  case type: CK_NAME(multiply_vector)(type, group, zero, bias, packed, m->columns, a, out); break;
    PACKED_TYPES(MULTIPLY)
#undef MULTIPLY
  default: break;
  }
}

/// Panels of stored rows, decoded value by value; rows beyond the matrix become zeros.
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

/// Up to 32 rows with all tokens.
static void CK_NAME(multiply_rows)(
    const struct ck_matrix *m, struct ck_traits t, int64_t row, int64_t row_count, const struct ck_activations *a,
    float *out, int64_t out_stride) {
  ck_panel panels[2];
  _Alignas(64) float sums[ck_token_block][2][16];
  int groups = row_count > 16 ? 2 : 1;
  int64_t group_bytes = m->is_packed ? ck_packed_group_bytes(m->type, m->columns) : 0;
  const uint8_t *packed = m->data + row / 16 * group_bytes;
  for (int64_t base = 0; base < a->count; base += ck_token_block) {
    int64_t tokens = a->count - base < ck_token_block ? a->count - base : ck_token_block;
    memset(sums, 0, (size_t)tokens * sizeof sums[0]);
    int64_t at = 0;
    for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
      int blocks32 = m->columns - column < ck_chunk_columns ? (int)(m->columns - column) / 32 : 8;
      for (int g = 0; g < groups; g++) {
        if (m->is_packed) CK_NAME(unpack_chunk)(m->type, packed + g * group_bytes + at, blocks32, &panels[g]);
        else CK_NAME(decode_panel)(m, t, row + 16 * g, column, 32 * blocks32, &panels[g]);
      }
      const struct ck_activation_chunk *chunk = a->chunks + column / ck_chunk_columns * a->stride + base;
      int64_t chunk_bytes = ck_layout(m->type, blocks32).bytes;
      at += chunk_bytes;
      // After the last chunk come the next 32 rows.
      const uint8_t *start = packed + at + (at == group_bytes ? (groups - 1) * group_bytes : 0);
      CK_NAME(upcoming) next = {start, group_bytes, chunk_bytes / 64};
      CK_NAME(multiply_panels)(t, groups, panels, blocks32, chunk, tokens, sums, &next);
    }
    for (int64_t i = 0; i < tokens; i++) {
      memcpy(out + (base + i) * out_stride + row, sums[i], (size_t)row_count * sizeof(float));
    }
  }
}

void CK_NAME(multiply_quantized)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride) {
  struct ck_traits t = ck_type_traits(m->type);
  int64_t end = first_row + row_count;
  if (a->count == 1 && m->is_packed) {
    int64_t group_bytes = ck_packed_group_bytes(m->type, m->columns);
    for (int64_t row = first_row; row < end; row += 16) {
      float sums[16];
      CK_NAME(multiply_group)(m, m->data + row / 16 * group_bytes, a, sums);
      memcpy(out + row, sums, (size_t)(end - row < 16 ? end - row : 16) * sizeof(float));
    }
    return;
  }
  for (int64_t row = first_row; row < end; row += 32) {
    CK_NAME(multiply_rows)(m, t, row, end - row < 32 ? end - row : 32, a, out, out_stride);
  }
}

void CK_NAME(quantize_activations)(const struct ck_activations *a, int64_t token) {
  for (int64_t column = 0; column < a->columns; column += 32) {
    struct ck_activation_chunk *chunk = a->chunks + column / 256 * a->stride + token;
    int b = (int)(column % 256 / 32);
    const float *x = a->x + token * a->columns + column;
    ck_v16 v[2] = {CK_NAME(load)(x), CK_NAME(load)(x + 16)};
    ck_v16 magnitude = CK_NAME(max)(CK_NAME(max)(v[0], -v[0]), (ck_v16){0});
    magnitude = CK_NAME(max)(CK_NAME(max)(v[1], -v[1]), magnitude);
    float largest = CK_NAME(largest)(magnitude);
    float d = largest / 127.0f, inverse = largest > 0 ? 127.0f / largest : 0;
    int32_t sum[2];
    for (int i = 0; i < 2; i++) {
      typedef int8_t b16 __attribute__((vector_size(16)));
      ck_v16 scaled = v[i] * inverse, top = CK_NAME(all)(127.0f);
      // Written so that what is not a number gives 127.
      scaled = CK_NAME(pick)(scaled <= top, scaled, top);
      scaled = CK_NAME(max)(scaled, -top);
      ck_i16 q = __builtin_convertvector(__builtin_elementwise_roundeven(scaled), ck_i16);
      b16 bytes = __builtin_convertvector(q, b16);
      memcpy(chunk->q + 32 * b + 16 * i, &bytes, 16);
      sum[i] = __builtin_reduce_add(q);
      chunk->minus_sum16[2 * b + i] = -sum[i];
      chunk->scaled_sum16[2 * b + i] = d * (float)sum[i];
    }
    chunk->d[b] = d;
    chunk->minus_sum32[b] = -(sum[0] + sum[1]);
    chunk->scaled_sum32[b] = d * (float)(sum[0] + sum[1]);
  }
}
