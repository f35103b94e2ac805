// ck_attend over sixteen lanes; see ck_lanes.h. The including file defines
// - CK_ATTENTION_SUMS: number of sixteen-lane accumulators that fit the registers next to their operands;
// - CK_ATTENTION_ROWS: rows of the register tile, 4 or 6;
// - CK_READS_HALVES, where converting F16 on every read pays at any number of rows.

#ifndef CK_READS_HALVES
#define CK_READS_HALVES 0
#endif

_Static_assert(ck_attention_rows % 16 == 0, "rows are softened sixteen at a time");

// Rows of values and sums take `stride` floats, a multiple of 64 plus a cache line, so that they do not all map to the
// same cache sets.
typedef struct {
  _Alignas(64) float keys[4 * ck_attention_dim_limit][16];                  // (group, dimension, position)
  float values[64 * (ck_attention_dim_limit + 16)];                         // (position, stride)
  float sums[ck_attention_rows * (ck_attention_dim_limit + 16)];            // (row, stride)
  float scores[ck_attention_rows][64];
  int64_t first[ck_attention_rows], end[ck_attention_rows];                 // (row,) positions that each row sees
  // (row,) highest score and sum of weights so far (online softmax), and the factor that rescales the sums before a
  // block.
  float top[ck_attention_rows], total[ck_attention_rows], factor[ck_attention_rows];
  int64_t stride;
} CK_NAME(attention_state);

CK_INLINE ck_v16 CK_NAME(widen_i8)(const int8_t *p) {
  typedef int8_t b16 __attribute__((vector_size(16)));
  b16 b;
  memcpy(&b, p, sizeof b);
  return __builtin_convertvector(b, ck_v16);
}

CK_INLINE float CK_NAME(widen_one)(uint16_t half) {
#if defined(CK_OWN_WIDEN) && defined(__aarch64__)
  return vgetq_lane_f32(vcvt_f32_f16(vreinterpret_f16_u16(vdup_n_u16(half))), 0);
#elif defined(CK_OWN_WIDEN)
  return _cvtsh_ss(half);
#else
  return ck_f16_to_f32(half);
#endif
}

static void CK_NAME(widen_keys)(const struct ck_cache *c, int64_t group, float (*out)[16]) {
  int64_t dim = c->key_dim;
  if (c->type == CK_F32) {
    memcpy(out, c->keys + group * dim * 64, (size_t)dim * 64);
  } else if (c->type == CK_F16) {
    const uint16_t *keys = (const uint16_t *)(c->keys + group * dim * 32);
    for (int64_t i = 0; i < dim; i++) CK_NAME(store)(out[i], CK_NAME(widen)(keys + 16 * i));
  } else {
    const uint8_t *block = c->keys + group * dim / 32 * 544;
    for (int64_t b = 0; b < dim / 32; b++, block += 544) {
      ck_v16 d = CK_NAME(widen)((const uint16_t *)block);
      const int8_t *q = (const int8_t *)block + 32;
      for (int i = 0; i < 32; i++) CK_NAME(store)(out[32 * b + i], CK_NAME(widen_i8)(q + 16 * i) * d);
    }
  }
}

static void CK_NAME(widen_values)(const struct ck_cache *c, int64_t position, float *out) {
  int64_t dim = c->value_dim, i = 0;
  if (c->type == CK_F32) {
    memcpy(out, c->values + position * dim * 4, (size_t)dim * 4);
    i = dim;
  } else if (c->type == CK_F16) {
    const uint16_t *values = (const uint16_t *)c->values + position * dim;
    for (; i + 16 <= dim; i += 16) CK_NAME(store)(out + i, CK_NAME(widen)(values + i));
    for (; i < dim; i++) out[i] = ck_f16_to_f32(values[i]);
  } else {
    const uint8_t *block = c->values + position * dim / 32 * 34;
    for (; i < dim; i += 32, block += 34) {
      // The scale is the first of 16 F16 values that are loaded.
      ck_v16 d = CK_NAME(splat)(CK_NAME(widen)((const uint16_t *)block)[0]);
      CK_NAME(store)(out + i, CK_NAME(widen_i8)((const int8_t *)block + 2) * d);
      CK_NAME(store)(out + i + 16, CK_NAME(widen_i8)((const int8_t *)block + 18) * d);
    }
  }
  for (; i % 16 != 0; i++) out[i] = 0;
}

/// Loads sixteen keys or values from F32 or F16; `type` is a constant.
CK_INLINE ck_v16 CK_NAME(cached)(const int type, const uint8_t *p, int64_t index) {
  return type == CK_F16 ? CK_NAME(widen)((const uint16_t *)p + index) : CK_NAME(load)((const float *)p + index);
}

/// Prefetches `bytes` of the next block, if any: blocks of keys and values alternate and are too short for the hardware
/// prefetcher. Into L2 only, for L1 holds the current block.
CK_INLINE void CK_NAME(prefetch_ahead)(const uint8_t *ahead, int64_t at, int bytes) {
  if (!ahead) return;
  for (int i = 0; i < bytes; i += 64) __builtin_prefetch(ahead + at + i, 0, 2);
}

/// Number of groups of sixteen lanes accumulated at once for `rows` queries (a constant): 4, 2 or 1.
CK_INLINE int CK_NAME(at_once)(const int rows) {
  return 4 * rows <= CK_ATTENTION_SUMS ? 4 : 2 * rows <= CK_ATTENTION_SUMS ? 2 : 1;
}

/// Scores of `rows` queries (a constant) with up to 64 positions, in groups of 16 keys. As many bytes of `ahead` are
/// prefetched as are read of the keys.
CK_INLINE void CK_NAME(score_rows)(
    const int type, CK_NAME(attention_state) *s, const uint8_t *keys, const float *const *queries, int first,
    const int rows, int count, int64_t dim, const uint8_t *ahead) {
  const int groups = CK_NAME(at_once)(rows), step = groups * (type == CK_F16 ? 32 : 64);
  for (int at = 0; 16 * at < count; at += groups) {
    ck_v16 sum[CK_ATTENTION_ROWS][4] = {0};
    for (int64_t i = 0; i < dim; i++) {
      ck_v16 k[4];
      CK_NAME(prefetch_ahead)(ahead, step * (at / groups * dim + i), step);
      for (int g = 0; g < groups; g++) k[g] = CK_NAME(cached)(type, keys, ((at + g) * dim + i) * 16);
      for (int r = 0; r < rows; r++) {
        ck_v16 q = CK_NAME(splat)(queries[first + r][i]);
        for (int g = 0; g < groups; g++) sum[r][g] = CK_NAME(fma)(q, k[g], sum[r][g]);
      }
    }
    for (int r = 0; r < rows; r++) {
      for (int g = 0; g < groups; g++) CK_NAME(store)(s->scores[first + r] + 16 * (at + g), sum[r][g]);
    }
  }
}

/// Rescales `lanes` times 16 sums of `rows` queries (both constants) by their factors, then accumulates the weighted
/// values of up to 64 positions.
CK_INLINE void CK_NAME(accumulate_lanes)(
    const int type, const int lanes, CK_NAME(attention_state) *s, const uint8_t *values, int64_t stride, int64_t at,
    int first, const int rows, int count, const uint8_t *ahead) {
  const int size = type == CK_F16 ? 2 : 4;
  ck_v16 sum[CK_ATTENTION_ROWS][4];
  for (int r = 0; r < rows; r++) {
    ck_v16 factor = CK_NAME(splat)(s->factor[first + r]);
    for (int v = 0; v < lanes; v++) {
      sum[r][v] = CK_NAME(load)(s->sums + (first + r) * s->stride + at + 16 * v) * factor;
    }
  }
  for (int j = 0; j < count; j++) {
    ck_v16 value[4];
    CK_NAME(prefetch_ahead)(ahead, size * (64 * at + 16 * lanes * j), size * 16 * lanes);
    for (int v = 0; v < lanes; v++) value[v] = CK_NAME(cached)(type, values, j * stride + at + 16 * v);
    for (int r = 0; r < rows; r++) {
      ck_v16 p = CK_NAME(splat)(s->scores[first + r][j]);
      for (int v = 0; v < lanes; v++) sum[r][v] = CK_NAME(fma)(p, value[v], sum[r][v]);
    }
  }
  for (int r = 0; r < rows; r++) {
    for (int v = 0; v < lanes; v++) CK_NAME(store)(s->sums + (first + r) * s->stride + at + 16 * v, sum[r][v]);
  }
}

/// accumulate_lanes for all dimensions; values are `stride` floats apart, and `ahead` is as in score_rows.
CK_INLINE void CK_NAME(accumulate_rows)(
    const int type, CK_NAME(attention_state) *s, const uint8_t *values, int64_t stride, int first, const int rows,
    int count, int64_t dim, const uint8_t *ahead) {
  const int lanes = CK_NAME(at_once)(rows);
  int64_t at = 0;
  for (; lanes >= 4 && at + 64 <= dim; at += 64) {
    CK_NAME(accumulate_lanes)(type, 4, s, values, stride, at, first, rows, count, ahead);
  }
  for (; lanes >= 2 && at + 32 <= dim; at += 32) {
    CK_NAME(accumulate_lanes)(type, 2, s, values, stride, at, first, rows, count, ahead);
  }
  for (; at < dim; at += 16) CK_NAME(accumulate_lanes)(type, 1, s, values, stride, at, first, rows, count, ahead);
}

/// score_rows on Q8_0 keys, dequantized as in widen_keys.
CK_INLINE void CK_NAME(score_rows_q8)(
    CK_NAME(attention_state) *s, const uint8_t *keys, const float *const *queries, int first, const int rows,
    int count, int64_t dim, const uint8_t *ahead) {
  const int groups = CK_NAME(at_once)(rows), step = 17 * groups;
  for (int at = 0; 16 * at < count; at += groups) {
    ck_v16 sum[CK_ATTENTION_ROWS][4] = {0};
    for (int64_t b = 0; b < dim / 32; b++) {
      const uint8_t *block[4];
      ck_v16 d[4];
      for (int g = 0; g < groups; g++) {
        block[g] = keys + ((at + g) * (dim / 32) + b) * 544;
        d[g] = CK_NAME(widen)((const uint16_t *)block[g]);
      }
      for (int i = 0; i < 32; i++) {
        ck_v16 k[4];
        CK_NAME(prefetch_ahead)(ahead, step * (at / groups * dim + 32 * b + i), step);
        for (int g = 0; g < groups; g++) k[g] = CK_NAME(widen_i8)((const int8_t *)block[g] + 32 + 16 * i) * d[g];
        for (int r = 0; r < rows; r++) {
          ck_v16 q = CK_NAME(splat)(queries[first + r][32 * b + i]);
          for (int g = 0; g < groups; g++) sum[r][g] = CK_NAME(fma)(q, k[g], sum[r][g]);
        }
      }
    }
    for (int r = 0; r < rows; r++) {
      for (int g = 0; g < groups; g++) CK_NAME(store)(s->scores[first + r] + 16 * (at + g), sum[r][g]);
    }
  }
}

/// accumulate_rows on Q8_0 values, dequantized as in widen_values.
CK_INLINE void CK_NAME(accumulate_rows_q8)(
    CK_NAME(attention_state) *s, const uint8_t *values, int first, const int rows, int count, int64_t dim,
    const uint8_t *ahead) {
  for (int64_t at = 0; at < dim; at += 32) {
    ck_v16 sum[CK_ATTENTION_ROWS][2];
    for (int r = 0; r < rows; r++) {
      ck_v16 factor = CK_NAME(splat)(s->factor[first + r]);
      for (int v = 0; v < 2; v++) sum[r][v] = CK_NAME(load)(s->sums + (first + r) * s->stride + at + 16 * v) * factor;
    }
    const uint8_t *block = values + at / 32 * 34;
    for (int j = 0; j < count; j++, block += dim / 32 * 34) {
      uint16_t half;
      memcpy(&half, block, 2);
      CK_NAME(prefetch_ahead)(ahead, 34 * (2 * at + j), 34);
      ck_v16 d = CK_NAME(splat)(CK_NAME(widen_one)(half)), value[2];
      for (int v = 0; v < 2; v++) value[v] = CK_NAME(widen_i8)((const int8_t *)block + 2 + 16 * v) * d;
      for (int r = 0; r < rows; r++) {
        ck_v16 p = CK_NAME(splat)(s->scores[first + r][j]);
        for (int v = 0; v < 2; v++) sum[r][v] = CK_NAME(fma)(p, value[v], sum[r][v]);
      }
    }
    for (int r = 0; r < rows; r++) {
      for (int v = 0; v < 2; v++) CK_NAME(store)(s->sums + (first + r) * s->stride + at + 16 * v, sum[r][v]);
    }
  }
}

#define WITH(count, call) { enum { width = count }; call; } break
#if CK_ATTENTION_ROWS > 4
#define MORE_ROWS(call) case 4: WITH(4, call); case 5: WITH(5, call);
#else
#define MORE_ROWS(call)
#endif
#define FEW_ROWS(rows, call)                                              \
  for (int first = 0; first < (rows); first += CK_ATTENTION_ROWS) {       \
    switch ((rows) - first) {                                             \
    case 1: WITH(1, call);                                                \
    case 2: WITH(2, call);                                                \
    case 3: WITH(3, call);                                                \
    MORE_ROWS(call)                                                       \
    default: WITH(CK_ATTENTION_ROWS, call);                               \
    }                                                                     \
  }

/// Scales and caps the scores of a row with `groups` (a constant) times 16 positions; scores outside `first ..< end`,
/// the positions it sees, become minus infinity. Returns the highest.
CK_INLINE float CK_NAME(scale_scores)(
    float *scores, const struct ck_attention *a, const int groups, int64_t first, int64_t end) {
  const float floor = -__builtin_inff();
  const ck_i16 lane = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  int32_t low = (int32_t)(first < 0 ? 0 : first), high = (int32_t)(end > 64 ? 64 : end < 0 ? 0 : end);
  ck_v16 highest = CK_NAME(splat)(floor);
  for (int g = 0; g < groups; g++) {
    ck_v16 x = CK_NAME(load)(scores + 16 * g) * a->scale;
    if (a->soft_cap != 0) x = a->soft_cap * CK_NAME(tanh)(x / a->soft_cap);
    if (low > 0 || high < 16 * groups) {
      ck_i16 position = lane + 16 * g;
      x = CK_NAME(select)((position >= low) & (position < high), x, CK_NAME(splat)(floor));
    }
    CK_NAME(store)(scores + 16 * g, x);
    highest = CK_NAME(max)(x, highest);
  }
  return CK_NAME(reduce_max)(highest);
}

/// Online softmax: turns the scores of up to 16 rows from `first` with `groups` (a constant) times 16 positions from
/// `base` into weights relative to the highest score so far, and computes the factors of the sums before.
CK_INLINE void CK_NAME(softmax_rows)(
    CK_NAME(attention_state) *s, const struct ck_attention *a, int first, int count, int64_t base, const int groups) {
  _Alignas(64) float highest[16], sums[16] = {0}, shift[16];
  for (int r = 0; r < 16; r++) highest[r] = -__builtin_inff();
  for (int r = 0; r < count; r++) {
    int row = first + r;
    highest[r] = CK_NAME(scale_scores)(s->scores[row], a, groups, s->first[row] - base, s->end[row] - base);
  }
  ck_v16 before = CK_NAME(load)(s->top + first), top = CK_NAME(max)(CK_NAME(load)(highest), before);
  ck_i16 sees = top > -__builtin_inff();
  // e^0 is exactly 1, and e to minus infinity 0.
  ck_v16 factor = CK_NAME(select)(sees, CK_NAME(exp)(before - top), CK_NAME(splat)(1));
  CK_NAME(store)(shift, CK_NAME(select)(sees, top, (ck_v16){0}));
  CK_NAME(store)(s->top + first, top);
  CK_NAME(store)(s->factor + first, factor);
  for (int r = 0; r < count; r++) {
    float *scores = s->scores[first + r];
    ck_v16 weight[4] = {0};
    for (int g = 0; g < groups; g++) {
      weight[g] = CK_NAME(exp)(CK_NAME(load)(scores + 16 * g) - shift[r]);
      CK_NAME(store)(scores + 16 * g, weight[g]);
    }
    sums[r] = CK_NAME(reduce_add)((weight[0] + weight[1]) + (weight[2] + weight[3]));
  }
  CK_NAME(store)(s->total + first, CK_NAME(fma)(CK_NAME(load)(s->total + first), factor, CK_NAME(load)(sums)));
}

/// softmax_rows for all rows of a block.
static void CK_NAME(softmax_block)(
    CK_NAME(attention_state) *s, const struct ck_attention *a, int rows, int64_t base, int groups) {
  for (int r = 0; r < rows; r += 16) {
    int count = rows - r < 16 ? rows - r : 16;
    switch (groups) {
    case 1: CK_NAME(softmax_rows)(s, a, r, count, base, 1); break;
    case 2: CK_NAME(softmax_rows)(s, a, r, count, base, 2); break;
    case 3: CK_NAME(softmax_rows)(s, a, r, count, base, 3); break;
    default: CK_NAME(softmax_rows)(s, a, r, count, base, 4);
    }
  }
}

static void CK_NAME(attend_rows)(const struct ck_attention *a, int64_t first_row, int rows) {
  CK_NAME(attention_state) s;
  const float *queries[ck_attention_rows];
  int64_t low = INT64_MAX, high = 0, dim = a->cache.value_dim, padded = (dim + 63) / 64 * 64;
  const struct ck_cache *c = &a->cache;
  int64_t key_dim = c->key_dim;
  // Few rows convert keys and values as they read them; for many rows it pays to convert each value once. The capacity
  // is a multiple of 64.
  int is_wide = c->type == CK_F32 && dim % 16 == 0;
  int is_half = c->type == CK_F16 && (rows <= 8 || CK_READS_HALVES) && dim % 16 == 0;
  int is_q8 = c->type == CK_Q8_0 && rows <= 4;
  int64_t key_bytes = ck_cache_key_bytes(c->type, key_dim, 64), value_bytes = ck_cache_value_bytes(c->type, dim, 64);
  s.stride = padded + 16;
  for (int r = 0; r < ck_attention_rows; r++) {
    s.top[r] = -__builtin_inff();
    s.total[r] = 0;
  }
  for (int r = 0; r < rows; r++) {
    int64_t query = (first_row + r) / a->head_count, head = (first_row + r) % a->head_count;
    queries[r] = a->queries + query * a->query_stride + head * a->cache.key_dim;
    s.first[r] = a->first[query];
    s.end[r] = a->end[query];
    if (s.first[r] < low) low = s.first[r];
    if (s.end[r] > high) high = s.end[r];
    memset(s.sums + r * s.stride, 0, (size_t)padded * sizeof(float));
  }
  for (int64_t base = low / 64 * 64; base < high; base += 64) {
    int count = high - base < 64 ? (int)(high - base) : 64, groups = (count + 15) / 16;
    const uint8_t *keys = c->keys + base / 64 * key_bytes, *values = c->values + base / 64 * value_bytes;
    const uint8_t *more = base + 64 < high ? keys + key_bytes : NULL;
    if (is_half) {
      FEW_ROWS(
          rows,
          CK_NAME(score_rows)(CK_F16, &s, keys, queries, first, width, count, key_dim, first == 0 ? values : NULL));
    } else if (is_q8) {
      FEW_ROWS(rows, CK_NAME(score_rows_q8)(&s, keys, queries, first, width, count, key_dim, values));
    } else {
      if (!is_wide) {
        // All four groups, for tiles of several groups read them.
        for (int g = 0; g < 4; g++) {
          CK_NAME(prefetch_ahead)(values, g * (value_bytes / 4), (int)(value_bytes / 4));
          CK_NAME(widen_keys)(c, base / 16 + g, s.keys + g * key_dim);
        }
        keys = (const uint8_t *)s.keys;
      }
      const uint8_t *ahead = is_wide ? values : NULL;
      FEW_ROWS(
          rows,
          CK_NAME(score_rows)(CK_F32, &s, keys, queries, first, width, count, key_dim, first == 0 ? ahead : NULL));
    }
    CK_NAME(softmax_block)(&s, a, rows, base, groups);
    if (is_half) {
      FEW_ROWS(
          rows, CK_NAME(accumulate_rows)(CK_F16, &s, values, dim, first, width, count, dim, first == 0 ? more : NULL));
    } else if (is_q8) {
      FEW_ROWS(rows, CK_NAME(accumulate_rows_q8)(&s, values, first, width, count, dim, more));
    } else {
      int64_t stride = is_wide ? dim : s.stride;
      if (!is_wide) {
        for (int j = 0; j < count; j++) {
          CK_NAME(prefetch_ahead)(more, j * (key_bytes / 64), (int)(key_bytes / 64));
          CK_NAME(widen_values)(c, base + j, s.values + j * s.stride);
        }
        values = (const uint8_t *)s.values;
      }
      const uint8_t *ahead = is_wide ? more : NULL;
      FEW_ROWS(
          rows,
          CK_NAME(accumulate_rows)(CK_F32, &s, values, stride, first, width, count, dim, first == 0 ? ahead : NULL));
    }
  }
  for (int r = 0; r < rows; r++) {
    int64_t query = (first_row + r) / a->head_count, head = (first_row + r) % a->head_count;
    float factor = 1, total = s.total[r];
    if (a->sinks) {
      float sink = a->sinks[head], top = s.top[r] > sink ? s.top[r] : sink;
      factor = total > 0 ? CK_NAME(exp)(CK_NAME(splat)(s.top[r] - top))[0] : 0;
      total = __builtin_fmaf(total, factor, CK_NAME(exp)(CK_NAME(splat)(sink - top))[0]);
    }
    factor = total > 0 ? factor / total : 0;
    CK_NAME(scale)(s.sums + r * s.stride, factor, dim, a->out + query * a->out_stride + head * dim);
  }
}

void CK_NAME(attend)(const struct ck_attention *a, int64_t first_query, int64_t count) {
  int64_t end = (first_query + count) * a->head_count;
  for (int64_t row = first_query * a->head_count; row < end; row += ck_attention_rows) {
    CK_NAME(attend_rows)(a, row, end - row < ck_attention_rows ? (int)(end - row) : ck_attention_rows);
  }
}

#undef FEW_ROWS
#undef MORE_ROWS
#undef WITH
