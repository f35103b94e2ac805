// Products of weights that no integer form is made of; see ck_lanes.h. With `pairs` (always a constant) weights and inputs
// are BF16, two in a lane; else weights of any float type are multiplied in F32, one in a lane.
#ifndef CK_FLOAT_TILE_H
#define CK_FLOAT_TILE_H

/// The weights of one step: 16, or 32 in pairs; `type` is a constant.
CK_INLINE ck_v16 CK_NAME(weights)(const int type, const int pairs, const uint8_t *row, int64_t step) {
  if (pairs || type == CK_F32) return (ck_v16)CK_NAME(words)(row + 64 * step);
  const uint16_t *halves = (const uint16_t *)(row + 32 * step);
  return type == CK_F16 ? CK_NAME(widen)(halves) : CK_NAME(widen_bf16)(halves);
}

CK_INLINE ck_v16 CK_NAME(add_products)(const int pairs, ck_v16 sum, ck_v16 w, ck_v16 x) {
  return pairs ? CK_NAME(pair_product)(sum, (ck_u16)w, (ck_u16)x) : CK_NAME(fma)(w, x, sum);
}

/// `rows` times `tokens` (both constants) full products. Tokens lie `x_bytes` apart, 64 bytes a step.
CK_INLINE void CK_NAME(float_tile)(
    const int type, const int pairs, const int rows, const int tokens, const uint8_t *data, int64_t row_bytes,
    int64_t columns, const uint8_t *x, int64_t x_bytes, float *out, int64_t out_stride, int streams) {
  const int size = type == CK_F32 ? 4 : 2, width = pairs ? 32 : 16, line = size * width;
  ck_v16 sum[CK_FLOAT_ROWS][CK_TILE_TOKENS];
  for (int r = 0; r < rows; r++) {
    for (int t = 0; t < tokens; t++) sum[r][t] = (ck_v16){0};
  }
  int64_t steps = columns / width;
  for (int64_t s = 0; s < steps; s++) {
    ck_v16 w[CK_FLOAT_ROWS];
    for (int r = 0; r < rows; r++) {
      const uint8_t *row = data + r * row_bytes;
      w[r] = CK_NAME(weights)(type, pairs, row, s);
      // Where the weights stream from memory, the rows after these are asked for early.
      if (streams && tokens > 1) __builtin_prefetch(row + rows * row_bytes + s * line);
    }
    if (streams && tokens == 1) {
      // In the order the lines lie, and into the second cache: the first does not hold that many rows.
      const uint8_t *next = data + rows * row_bytes + rows * s * line;
      for (int i = 0; i < rows * line; i += 64) __builtin_prefetch(next + i, 0, 2);
    }
    for (int t = 0; t < tokens; t++) {
      ck_v16 v = (ck_v16)CK_NAME(words)(x + t * x_bytes + 64 * s);
      for (int r = 0; r < rows; r++) sum[r][t] = CK_NAME(add_products)(pairs, sum[r][t], w[r], v);
    }
  }
  int64_t rest = columns % width;
  if (rest) {
    for (int r = 0; r < rows; r++) {
      uint8_t padded[64] = {0};
      memcpy(padded, data + r * row_bytes + steps * line, (size_t)(rest * size));
      ck_v16 w = CK_NAME(weights)(type, pairs, padded, 0);
      for (int t = 0; t < tokens; t++) {
        // Not a masked load: that makes the compiler keep the sums in memory, throughout.
        uint8_t last[64] = {0};
        memcpy(last, x + t * x_bytes + 64 * steps, (size_t)rest * (pairs ? 2 : 4));
        sum[r][t] = CK_NAME(add_products)(pairs, sum[r][t], w, (ck_v16)CK_NAME(words)(last));
      }
    }
  }
  for (int t = 0; t < tokens; t++) {
    for (int r = 0; r < rows; r++) out[t * out_stride + r] = CK_NAME(sum)(sum[r][t]);
  }
}

CK_INLINE void CK_NAME(multiply_floats)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t first_row, int64_t row_count,
    const struct ck_activations *a, float *out, int64_t out_stride) {
  int64_t end = first_row + row_count, columns = m->columns;
  int64_t x_bytes = pairs ? ck_bf16_bytes(columns) : columns * (int64_t)sizeof(float);
  // One token waits for memory alone: row after row, a processor that foresees what is read finds one stream.
  int in_order = a->count == 1 && !m->fetches_ahead;
  for (int64_t t = 0; t < a->count;) {
    int64_t left = a->count - t, tokens = left >= CK_TILE_TOKENS ? CK_TILE_TOKENS : left >= 3 ? 3 : left;
    // Later tokens find the weights in the cache.
    int streams = t == 0 && a->count < 4 * CK_TILE_TOKENS;
    const uint8_t *x = (pairs ? a->bf16 : (const uint8_t *)a->x) + t * x_bytes;
    for (int64_t row = first_row; row < end;) {
      const uint8_t *data = m->data + row * m->row_bytes;
      float *place = out + t * out_stride + row;
#define TILE(rows, tokens, x, place, streams) \
  CK_NAME(float_tile)(type, pairs, rows, tokens, data, m->row_bytes, columns, x, x_bytes, place, out_stride, streams)
      if (end - row >= CK_FLOAT_ROWS && !in_order) {
        switch (tokens) {
        case 1: TILE(CK_FLOAT_ROWS, 1, x, place, streams); break;
        case 2: TILE(CK_FLOAT_ROWS, 2, x, place, streams); break;
        case 3: TILE(CK_FLOAT_ROWS, 3, x, place, streams); break;
        default: TILE(CK_FLOAT_ROWS, CK_TILE_TOKENS, x, place, streams); break;
        }
        row += CK_FLOAT_ROWS;
      } else {
        for (int64_t i = 0; i < tokens; i++) TILE(1, 1, x + i * x_bytes, place + i * out_stride, 0);
        row += 1;
      }
#undef TILE
    }
    t += tokens;
  }
}
#endif
