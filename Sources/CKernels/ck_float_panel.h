// Products of many tokens with F32, F16 and BF16 weights: a few lines of sixteen rows are widened into the first cache,
// and the tokens pass; see ck_float_tile.h.

enum { CK_NAME(panel_tokens) = 96 };

/// So many lines of a row of weights, or of a token.
typedef float CK_NAME(lines)[ck_chunk_lines][16];

typedef float CK_NAME(part) __attribute__((vector_size(64 / CK_FLOAT_PARTS)));

CK_INLINE CK_NAME(part) CK_NAME(load_part)(const float *p) {
  CK_NAME(part) v;
  memcpy(&v, p, sizeof v);
  return v;
}

CK_INLINE CK_NAME(part) CK_NAME(add_part)(const int pairs, CK_NAME(part) sum, CK_NAME(part) w, CK_NAME(part) x) {
#ifdef CK_OWN_BF16
  if (pairs) return CK_NAME(pair_product)(sum, (ck_u16)w, (ck_u16)x);
#endif
  return __builtin_elementwise_fma(w, x, sum);
}

/// Adds `lines` lines of CK_FLOAT_ROWS rows and `tokens` tokens (a constant) to their sums (token, row, lane), a register's
/// part of the lanes after the other.
CK_INLINE void CK_NAME(panel_tile)(
    const int pairs, const int tokens, const CK_NAME(lines) *panel, int64_t lines, const CK_NAME(lines) *x,
    float *sums) {
  for (int p = 0; p < 16; p += 16 / CK_FLOAT_PARTS) {
    CK_NAME(part) sum[CK_FLOAT_ROWS][CK_FLOAT_TOKENS];
    CK_UNROLL
    for (int r = 0; r < CK_FLOAT_ROWS; r++) {
      CK_UNROLL
      for (int t = 0; t < tokens; t++) sum[r][t] = CK_NAME(load_part)(sums + 256 * t + 16 * r + p);
    }
    for (int64_t i = 0; i < lines; i++) {
      CK_NAME(part) v[CK_FLOAT_TOKENS];
      CK_UNROLL
      for (int t = 0; t < tokens; t++) v[t] = CK_NAME(load_part)(x[t][i] + p);
      CK_UNROLL
      for (int r = 0; r < CK_FLOAT_ROWS; r++) {
        CK_NAME(part) w = CK_NAME(load_part)(panel[r][i] + p);
        CK_UNROLL
        for (int t = 0; t < tokens; t++) sum[r][t] = CK_NAME(add_part)(pairs, sum[r][t], w, v[t]);
      }
    }
    CK_UNROLL
    for (int r = 0; r < CK_FLOAT_ROWS; r++) {
      CK_UNROLL
      for (int t = 0; t < tokens; t++) memcpy(sums + 256 * t + 16 * r + p, &sum[r][t], sizeof sum[r][t]);
    }
  }
}

CK_INLINE void CK_NAME(panel_tiles)(
    const int pairs, const CK_NAME(lines) *panel, int64_t lines, const CK_NAME(lines) *x, int64_t tokens,
    float (*sums)[16][16]) {
  for (int64_t t = 0; t < tokens;) {
    int64_t width = tokens - t >= CK_FLOAT_TOKENS ? CK_FLOAT_TOKENS : 1;
    for (int r = 0; r < 16; r += CK_FLOAT_ROWS) {
      float *place = sums[t][r];
#define TILE(tokens) CK_NAME(panel_tile)(pairs, tokens, panel + r, lines, x + t, place)
      if (width == CK_FLOAT_TOKENS) TILE(CK_FLOAT_TOKENS);
      else TILE(1);
#undef TILE
    }
    t += width;
  }
}

/// Widens a few lines of up to sixteen rows; rows that are not there count as the last one.
CK_INLINE void CK_NAME(fill_float_panel)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t row, int64_t rows, int64_t first, int64_t lines,
    CK_NAME(lines) *panel) {
  for (int64_t r = 0; r < 16; r++) {
    const uint8_t *data = m->data + (row + (r < rows ? r : rows - 1)) * m->row_bytes;
    int64_t whole = pairs ? m->columns / 32 * CK_NAME(pair_lines) : m->columns / 16;
    for (int64_t i = 0; i < lines; i++) {
      ck_v16 w = first + i < whole ? CK_NAME(weights)(type, pairs, data, first + i)
                                   : CK_NAME(last_weights)(type, pairs, data, first + i, m->columns);
      CK_NAME(store)(panel[r][i], w);
    }
  }
}

CK_INLINE void CK_NAME(multiply_lines)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t first_row, int64_t row_count,
    const struct ck_activations *a, float *out, int64_t out_stride) {
  _Alignas(64) CK_NAME(lines) panel[16];
  _Alignas(64) float sums[CK_NAME(panel_tokens)][16][16];
  int64_t lines = CK_NAME(line_count)(pairs, m->columns);
  for (int64_t base = 0; base < a->count; base += CK_NAME(panel_tokens)) {
    int64_t tokens = a->count - base < CK_NAME(panel_tokens) ? a->count - base : CK_NAME(panel_tokens);
    for (int64_t row = first_row; row < first_row + row_count; row += 16) {
      int64_t rows = first_row + row_count - row < 16 ? first_row + row_count - row : 16;
      memset(sums, 0, (size_t)tokens * sizeof sums[0]);
      const CK_NAME(lines) *x = (const CK_NAME(lines) *)a->lines + base;
      for (int64_t first = 0; first < lines; first += ck_chunk_lines, x += a->stride) {
        int64_t count = lines - first < ck_chunk_lines ? lines - first : ck_chunk_lines;
        CK_NAME(fill_float_panel)(type, pairs, m, row, rows, first, count, panel);
        CK_NAME(panel_tiles)(pairs, (const CK_NAME(lines) *)panel, count, x, tokens, sums);
      }
      for (int64_t t = 0; t < tokens; t++) {
        float *place = out + (base + t) * out_stride + row;
        for (int64_t r = 0; r < rows; r++) place[r] = CK_NAME(sum)(CK_NAME(load)(sums[t][r]));
      }
    }
  }
}
