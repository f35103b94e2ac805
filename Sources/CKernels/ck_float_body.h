// Products with F32, F16 and BF16 weights over sixteen lanes of columns; see ck_lanes.h.

/// Sixteen weights; `type` is a constant.
CK_INLINE ck_v16 CK_NAME(weights)(const int type, const uint8_t *row, int64_t column) {
  if (type == CK_F32) return CK_NAME(load)((const float *)row + column);
  if (type == CK_F16) return CK_NAME(widen)((const uint16_t *)row + column);
  return CK_NAME(widen_bf16)((const uint16_t *)row + column);
}

/// `rows` times `tokens` (both constants) full products.
CK_INLINE void CK_NAME(float_tile)(
    const int type, const int rows, const int tokens, const uint8_t *data, int64_t row_bytes, int64_t columns,
    const float *x, float *out, int64_t out_stride, int streams) {
  ck_v16 sum[CK_FLOAT_ROWS][CK_TILE_TOKENS];
  CK_UNROLL
  for (int r = 0; r < rows; r++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) sum[r][t] = (ck_v16){0};
  }
  int64_t k = 0;
  for (; k + 16 <= columns; k += 16) {
    ck_v16 w[CK_FLOAT_ROWS];
    CK_UNROLL
    for (int r = 0; r < rows; r++) {
      const uint8_t *row = data + r * row_bytes;
      w[r] = CK_NAME(weights)(type, row, k);
      // Where the weights stream from memory, the rows after these are asked for early.
      if (streams && tokens > 1) __builtin_prefetch(row + rows * row_bytes + k * (type == CK_F32 ? 4 : 2));
    }
    if (streams && tokens == 1) {
      // In the order the lines lie, and into the second cache: the first does not hold that many rows.
      const uint8_t *next = data + rows * row_bytes + rows * k * (type == CK_F32 ? 4 : 2);
      for (int i = 0; i < rows * (type == CK_F32 ? 64 : 32); i += 64) __builtin_prefetch(next + i, 0, 2);
    }
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      ck_v16 v = CK_NAME(load)(x + t * columns + k);
      CK_UNROLL
      for (int r = 0; r < rows; r++) sum[r][t] = CK_NAME(fma)(w[r], v, sum[r][t]);
    }
  }
  if (k < columns) {
    int64_t rest = columns - k;
    int size = type == CK_F32 ? 4 : 2;
    CK_UNROLL
    for (int r = 0; r < rows; r++) {
      uint8_t padded[64] = {0};
      memcpy(padded, data + r * row_bytes + k * size, (size_t)(rest * size));
      ck_v16 w = CK_NAME(weights)(type, padded, 0);
      CK_UNROLL
      for (int t = 0; t < tokens; t++) {
        // Not a masked load: that makes the compiler keep the sums in memory, throughout.
        float last[16] = {0};
        memcpy(last, x + t * columns + k, (size_t)rest * sizeof(float));
        sum[r][t] = CK_NAME(fma)(w, CK_NAME(load)(last), sum[r][t]);
      }
    }
  }
  CK_UNROLL
  for (int t = 0; t < tokens; t++) {
    CK_UNROLL
    for (int r = 0; r < rows; r++) out[t * out_stride + r] = CK_NAME(sum)(sum[r][t]);
  }
}

CK_INLINE void CK_NAME(multiply_float_type)(
    const int type, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    float *out, int64_t out_stride) {
  int64_t end = first_row + row_count, columns = m->columns;
  // One token waits for memory alone: row after row, a processor that foresees what is read finds one stream.
  int in_order = a->count == 1 && !m->fetches_ahead;
  for (int64_t t = 0; t < a->count;) {
    int64_t left = a->count - t, tokens = left >= CK_TILE_TOKENS ? CK_TILE_TOKENS : left >= 3 ? 3 : left;
    // Later tokens find the weights in the cache.
    int streams = t == 0 && a->count < 4 * CK_TILE_TOKENS;
    const float *x = a->x + t * columns;
    for (int64_t row = first_row; row < end;) {
      const uint8_t *data = m->data + row * m->row_bytes;
      float *place = out + t * out_stride + row;
#define TILE(rows, tokens) \
  CK_NAME(float_tile)(type, rows, tokens, data, m->row_bytes, columns, x, place, out_stride, streams)
      if (end - row >= CK_FLOAT_ROWS && !in_order) {
        switch (tokens) {
        case 1: TILE(CK_FLOAT_ROWS, 1); break;
        case 2: TILE(CK_FLOAT_ROWS, 2); break;
        case 3: TILE(CK_FLOAT_ROWS, 3); break;
        default: TILE(CK_FLOAT_ROWS, CK_TILE_TOKENS); break;
        }
        row += CK_FLOAT_ROWS;
      } else {
        for (int64_t i = 0; i < tokens; i++) {
          CK_NAME(float_tile)(
              type, 1, 1, data, m->row_bytes, columns, x + i * columns, place + i * out_stride, out_stride, 0);
        }
        row += 1;
      }
#undef TILE
    }
    t += tokens;
  }
}

void CK_NAME(multiply_float)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride) {
  switch (m->type) {
  case CK_F32: CK_NAME(multiply_float_type)(CK_F32, m, first_row, row_count, a, out, out_stride); break;
  case CK_F16: CK_NAME(multiply_float_type)(CK_F16, m, first_row, row_count, a, out, out_stride); break;
  default: CK_NAME(multiply_float_type)(CK_BF16, m, first_row, row_count, a, out, out_stride); break;
  }
}
