// ck_multiply with 16-bit activations, over sixteen rows; see ck_lanes.h. The including file defines
// - pair_dot: adds the products of 2 signed 16-bit weights with 2 activations in each lane.

typedef int16_t CK_NAME(s32) __attribute__((vector_size(64)));

/// Up to 256 columns of 16 rows as signed 16-bit integers.
typedef struct {
  _Alignas(64) int16_t q[128][32];  // (column / 2, row * 2 + column % 2)
  float scale[16][16];              // (column / group, row)
  float bias[16][16];               // (column / group, row)
} CK_NAME(int16_panel);

static void CK_NAME(widen_panel)(const ck_panel *panel, int zero, int blocks32, CK_NAME(int16_panel) *wide) {
  CK_NAME(s32) offset = (CK_NAME(s32)){0} + (int16_t)zero;
  for (int i = 0; i < 8 * blocks32; i++) {
    ck_u16 w = CK_NAME(words)(panel->q[i]);
    CK_NAME(s32) low = (CK_NAME(s32))((w & 0xff) | (w & 0xff00) << 8) - offset;
    CK_NAME(s32) high = (CK_NAME(s32))((w >> 16 & 0xff) | (w >> 8 & 0xff0000)) - offset;
    memcpy(wide->q[2 * i], &low, sizeof low);
    memcpy(wide->q[2 * i + 1], &high, sizeof high);
  }
  memcpy(wide->scale, panel->scale, sizeof wide->scale);
  memcpy(wide->bias, panel->bias, sizeof wide->bias);
}

CK_INLINE int32_t CK_NAME(load_x2)(const struct ck_int16_chunk *a, int column) {
  int32_t x;
  memcpy(&x, a->q + column, 4);
  return x;
}

/// Register tile: adds the products of a chunk of `groups` panels with `tokens` tokens to sums (token, group, 16); the
/// arguments up to `tokens` are constants.
CK_INLINE void CK_NAME(int16_tile)(
    const int group_size, const int has_bias, const int groups, const int tokens, const CK_NAME(int16_panel) *panels,
    int blocks32, const struct ck_int16_chunk *a, float (*sums)[2][16], const CK_NAME(tile_context) *next,
    int64_t first) {
  const int halves = group_size == 16 ? 2 : 1, steps = 16 / halves;
  CK_NAME(zero_sums)(next, groups, tokens, sums);
  ck_v16 sum[2][CK_TILE_TOKENS];
  for (int g = 0; g < groups; g++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) sum[g][t] = CK_NAME(load)(sums[t][g]);
  }
  for (int b = 0; b < blocks32; b++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) __builtin_prefetch((const uint8_t *)(a + tokens + t) + 80 * b);
    ck_v16 part[2][CK_TILE_TOKENS];
    CK_UNROLL
    for (int h = 0; h < halves; h++) {
      ck_i16 dot[2][CK_TILE_TOKENS];
      for (int g = 0; g < groups; g++) {
        CK_UNROLL
        for (int t = 0; t < tokens; t++) dot[g][t] = (ck_i16){0};
      }
      for (int j = steps * h; j < steps * h + steps; j++) {
        ck_i16 w[2];
        for (int g = 0; g < groups; g++) w[g] = (ck_i16)CK_NAME(words)((const uint8_t *)panels[g].q[16 * b + j]);
        CK_UNROLL
        for (int t = 0; t < tokens; t++) {
          int32_t x = CK_NAME(load_x2)(a + t, 32 * b + 2 * j);
          for (int g = 0; g < groups; g++) dot[g][t] = CK_NAME(pair_dot)(dot[g][t], w[g], x);
        }
      }
      for (int g = 0; g < groups; g++) {
        ck_v16 s = CK_NAME(load)(panels[g].scale[halves * b + h]);
        CK_UNROLL
        for (int t = 0; t < tokens; t++) {
          ck_v16 value = __builtin_convertvector(dot[g][t], ck_v16);
          part[g][t] = h == 0 ? value * s : CK_NAME(fma)(value, s, part[g][t]);
        }
      }
    }
    for (int g = 0; g < groups; g++) {
      CK_UNROLL
      for (int t = 0; t < tokens; t++) {
        sum[g][t] = CK_NAME(fma)(part[g][t], CK_NAME(splat)(a[t].d[b]), sum[g][t]);
        if (!has_bias) continue;
        CK_UNROLL
        for (int h = 0; h < halves; h++) {
          float x = halves == 1 ? a[t].scaled_sum32[b] : a[t].scaled_sum16[2 * b + h];
          sum[g][t] = CK_NAME(fma)(CK_NAME(splat)(x), CK_NAME(load)(panels[g].bias[halves * b + h]), sum[g][t]);
        }
      }
    }
  }
  for (int g = 0; g < groups; g++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) CK_NAME(store)(sums[t][g], sum[g][t]);
  }
  CK_NAME(store_results)(next, groups, first, tokens, sums - first);
}

/// Multiplies all tokens with a chunk of panels in tiles; the arguments up to `groups` are constants.
CK_INLINE void CK_NAME(int16_tiles)(
    const int group_size, const int has_bias, const int groups, const CK_NAME(int16_panel) *panels, int blocks32,
    const struct ck_int16_chunk *a, int64_t tokens, float (*sums)[2][16], const CK_NAME(tile_context) *next) {
  enum { full = CK_TILE_TOKENS, narrow = CK_TILE_TOKENS * 2 / 3 };
  const int width = group_size == 16 ? narrow : full;
  int64_t t = 0;
  for (; t + width <= tokens; t += width) {
    CK_NAME(int16_tile)(group_size, has_bias, groups, width, panels, blocks32, a + t, sums + t, next, t);
  }
  for (; t + 2 <= tokens; t += 2) {
    CK_NAME(int16_tile)(group_size, has_bias, groups, 2, panels, blocks32, a + t, sums + t, next, t);
  }
  if (t < tokens) CK_NAME(int16_tile)(group_size, has_bias, groups, 1, panels, blocks32, a + t, sums + t, next, t);
}

static void CK_NAME(multiply_int16_panels)(
    struct ck_traits t, const int groups, const CK_NAME(int16_panel) *panels, int blocks32,
    const struct ck_int16_chunk *a, int64_t tokens, float (*sums)[2][16], const CK_NAME(tile_context) *next) {
#define TILES(group, bias)                                                                        \
  if (groups == CK_TILE_GROUPS) {                                                                 \
    CK_NAME(int16_tiles)(group, bias, CK_TILE_GROUPS, panels, blocks32, a, tokens, sums, next);   \
  } else {                                                                                        \
    CK_NAME(int16_tiles)(group, bias, 1, panels, blocks32, a, tokens, sums, next);                \
  }
  if (t.group == 32) {
    if (t.has_bias) { TILES(32, 1) } else { TILES(32, 0) }
  } else {
    if (t.has_bias) { TILES(16, 1) } else { TILES(16, 0) }
  }
#undef TILES
}

void CK_NAME(multiply_int16)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to) {
  struct ck_traits t = ck_type_traits(m->type);
  int zero = t.zero_shift >= 0 ? 1 << t.zero_shift : 0;
  CK_NAME(int16_panel) panels[CK_TILE_GROUPS];
  _Alignas(64) float sums[ck_token_block][2][16];
  int64_t end = first_row + row_count, groups;
  for (int64_t row = first_row; row < end; row += 16 * groups) {
    groups = ck_groups_together(row, end);
    for (int64_t base = 0; base < a->count; base += ck_token_block) {
      int64_t tokens = a->count - base < ck_token_block ? a->count - base : ck_token_block;
      int64_t at = 0;
      for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
        int blocks32 = m->columns - column < ck_chunk_columns ? (int)(m->columns - column) / 32 : 8;
        const struct ck_int16_chunk *chunk = a->int16 + column / ck_chunk_columns * a->stride + base;
        for (int64_t first = 0; first < groups; first += CK_TILE_GROUPS) {
          int count = groups - first < CK_TILE_GROUPS ? 1 : CK_TILE_GROUPS;
          for (int g = 0; g < count; g++) {
            ck_panel panel;
            CK_NAME(fill_panel)(m, t, row + 16 * (first + g), column, at, blocks32, &panel);
            CK_NAME(widen_panel)(&panel, zero, blocks32, &panels[g]);
          }
          CK_NAME(tile_context) next = CK_NAME(tile_context_at)(m, column, count, to, row + 16 * first, end, base);
          CK_NAME(multiply_int16_panels)(
              t, count, panels, blocks32, chunk, tokens, CK_NAME(sums_from)(sums, first), &next);
        }
        at += ck_layout(m->type, blocks32).bytes;
      }
    }
  }
}

void CK_NAME(quantize_int16)(const struct ck_activations *a, int64_t token) {
  typedef int16_t s16 __attribute__((vector_size(32)));
  for (int64_t column = 0; column < a->columns; column += 32) {
    struct ck_int16_chunk *chunk = a->int16 + column / 256 * a->stride + token;
    int b = (int)(column % 256 / 32);
    const float *x = a->x + token * a->columns + column;
    ck_v16 v[2] = {CK_NAME(load)(x), CK_NAME(load)(x + 16)};
    ck_v16 magnitude = CK_NAME(max)(CK_NAME(max)(v[0], -v[0]), (ck_v16){0});
    magnitude = CK_NAME(max)(CK_NAME(max)(v[1], -v[1]), magnitude);
    float largest = CK_NAME(reduce_max)(magnitude);
    float d = largest / 32767.0f, inverse = largest > 0 ? 32767.0f / largest : 0;
    int32_t sum[2];
    for (int i = 0; i < 2; i++) {
      ck_i16 q = CK_NAME(to_integers)(v[i] * inverse, 32767);
      s16 halves = __builtin_convertvector(q, s16);
      memcpy(chunk->q + 32 * b + 16 * i, &halves, 32);
      sum[i] = __builtin_reduce_add(q);
      chunk->scaled_sum16[2 * b + i] = d * (float)sum[i];
    }
    chunk->d[b] = d;
    chunk->scaled_sum32[b] = d * (float)(sum[0] + sum[1]);
  }
}
