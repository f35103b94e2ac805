// Products of many tokens with F32, F16 and BF16 weights: a few lines of sixteen rows are gathered in the first cache, and
// the tokens pass; see ck_float_tile.h. A set whose multiply-adds leave room to widen F16 beside them defines
// CK_WIDENS_LATE and widen_part: its panels then keep halves, and more of that cache is left for sums. One that gains by
// being asked for what the next tile and the next panel read defines CK_FLOAT_ASKS.

enum { CK_NAME(panel_tokens) = 96 };

/// So many lines of a row of weights, or of a token.
typedef float CK_NAME(lines)[ck_chunk_lines][16];

typedef float CK_NAME(part) __attribute__((vector_size(64 / CK_FLOAT_PARTS)));

CK_INLINE CK_NAME(part) CK_NAME(load_part)(const float *p) {
  CK_NAME(part) v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// Whether a panel keeps weights as they are stored; a constant.
CK_INLINE int CK_NAME(keeps_halves)(const int type) {
#ifdef CK_WIDENS_LATE
  return type == CK_F16;
#else
  (void)type;
  return 0;
#endif
}

/// Bytes of a line in a panel.
CK_INLINE int64_t CK_NAME(panel_bytes)(const int type) { return CK_NAME(keeps_halves)(type) ? 32 : 64; }

/// The part from lane p of a line in a panel.
CK_INLINE CK_NAME(part) CK_NAME(panel_part)(const int type, const uint8_t *line, int p) {
#ifdef CK_WIDENS_LATE
  if (CK_NAME(keeps_halves)(type)) return CK_NAME(widen_part)((const uint16_t *)line + p);
#endif
  (void)type;
  return CK_NAME(load_part)((const float *)line + p);
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
    const int type, const int pairs, const int tokens, const uint8_t *panel, int64_t lines, const CK_NAME(lines) *x,
    float *sums) {
  const int64_t bytes = CK_NAME(panel_bytes)(type);
  for (int p = 0; p < 16; p += 16 / CK_FLOAT_PARTS) {
    CK_NAME(part) sum[CK_FLOAT_ROWS][CK_FLOAT_TOKENS];
    CK_UNROLL
    for (int r = 0; r < CK_FLOAT_ROWS; r++) {
      CK_UNROLL
      for (int t = 0; t < tokens; t++) sum[r][t] = CK_NAME(load_part)(sums + 256 * t + 16 * r + p);
    }
#pragma clang loop unroll_count(4)
    for (int64_t i = 0; i < lines; i++) {
      CK_NAME(part) w[CK_FLOAT_ROWS];
      CK_UNROLL
      for (int r = 0; r < CK_FLOAT_ROWS; r++) {
        w[r] = CK_NAME(panel_part)(type, panel + bytes * (ck_chunk_lines * r + i), p);
      }
      CK_UNROLL
      for (int t = 0; t < tokens; t++) {
        CK_NAME(part) v = CK_NAME(load_part)(x[t][i] + p);
        CK_UNROLL
        for (int r = 0; r < CK_FLOAT_ROWS; r++) sum[r][t] = CK_NAME(add_part)(pairs, sum[r][t], w[r], v);
      }
    }
    CK_UNROLL
    for (int r = 0; r < CK_FLOAT_ROWS; r++) {
      CK_UNROLL
      for (int t = 0; t < tokens; t++) memcpy(sums + 256 * t + 16 * r + p, &sum[r][t], sizeof sum[r][t]);
    }
  }
}

/// Bytes of a panel's lines in a stored row.
CK_INLINE int CK_NAME(stored_bytes)(const int type, const int pairs) {
  return ck_chunk_lines * (type == CK_F32 || (pairs && CK_NAME(pair_lines) == 1) ? 64 : 32);
}

/// Weights to ask for while a panel is multiplied: the same few bytes of sixteen rows.
typedef struct {
  const uint8_t *start;
  int64_t row_bytes;
} CK_NAME(next_panel);

/// Asks for the share of them that goes with tokens `first ..< end` of `tokens`.
CK_INLINE void CK_NAME(ask_for_panel)(
    CK_NAME(next_panel) next, const int row_lines, int64_t first, int64_t end, int64_t tokens) {
#ifdef CK_FLOAT_ASKS
  for (int64_t i = first * 16 * row_lines / tokens; i < end * 16 * row_lines / tokens; i++) {
    __builtin_prefetch(next.start + i / row_lines * next.row_bytes + i % row_lines * 64, 0, 2);
  }
#endif
}

/// Asks for a share of the inputs of `tokens` tokens: that of CK_FLOAT_ROWS rows from `row` of sixteen.
CK_INLINE void CK_NAME(ask_for_inputs)(const CK_NAME(lines) *x, const int tokens, int row) {
#ifdef CK_FLOAT_ASKS
  for (int i = 0; i < tokens * CK_FLOAT_ROWS; i++) {
    __builtin_prefetch((const uint8_t *)x + 64 * (row * tokens + i));
  }
#endif
}

CK_INLINE void CK_NAME(panel_tiles)(
    const int type, const int pairs, const uint8_t *panel, int64_t lines, const CK_NAME(lines) *x, int64_t tokens,
    float (*sums)[16][16], CK_NAME(next_panel) next) {
  enum { full = CK_FLOAT_TOKENS, half = (CK_FLOAT_TOKENS + 1) / 2 };
  const int row_lines = CK_NAME(stored_bytes)(type, pairs) / 64;
  int64_t t = 0;
#define TILES_OF(width)                                                                        \
  for (; t + (width) <= tokens; t += (width)) {                                                \
    CK_NAME(ask_for_panel)(next, row_lines, t, t + (width), tokens);                           \
    for (int r = 0; r < 16; r += CK_FLOAT_ROWS) {                                              \
      CK_NAME(ask_for_inputs)(x + t + (width), width, r);                                      \
      const uint8_t *rows = panel + CK_NAME(panel_bytes)(type) * ck_chunk_lines * r;           \
      CK_NAME(panel_tile)(type, pairs, width, rows, lines, x + t, sums[t][r]);                 \
    }                                                                                          \
  }
  TILES_OF(full)
  TILES_OF(half)
  TILES_OF(1)
#undef TILES_OF
}

/// Gathers a few lines of up to sixteen rows; rows that are not there count as the last one.
CK_INLINE void CK_NAME(fill_float_panel)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t row, int64_t rows, int64_t first, int64_t lines,
    uint8_t *panel) {
  const int64_t bytes = CK_NAME(panel_bytes)(type);
  for (int64_t r = 0; r < 16; r++) {
    const uint8_t *data = m->data + (row + (r < rows ? r : rows - 1)) * m->row_bytes;
    int64_t whole = pairs ? m->columns / 32 * CK_NAME(pair_lines) : m->columns / 16;
    for (int64_t i = 0; i < lines; i++) {
      uint8_t *line = panel + bytes * (ck_chunk_lines * r + i);
      if (CK_NAME(keeps_halves)(type)) {
        int64_t left = m->columns - 16 * (first + i);
        if (left >= 16) {
          memcpy(line, data + 32 * (first + i), 32);
        } else {
          memset(line, 0, 32);
          memcpy(line, data + 32 * (first + i), (size_t)(2 * left));
        }
        continue;
      }
      ck_v16 w = first + i < whole ? CK_NAME(weights)(type, pairs, data, first + i)
                                   : CK_NAME(last_weights)(type, pairs, data, first + i, m->columns);
      CK_NAME(store)((float *)line, w);
    }
  }
}

CK_INLINE void CK_NAME(multiply_lines)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t first_row, int64_t row_count,
    const struct ck_activations *a, float *out, int64_t out_stride) {
  _Alignas(64) uint8_t panel[16 * sizeof(CK_NAME(lines))];
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
        // After the last lines come the next rows.
        int64_t at = first + ck_chunk_lines < lines ? first / ck_chunk_lines + 1 : 0;
        const uint8_t *data = m->data + (at > 0 ? row : row + 16) * m->row_bytes;
        CK_NAME(next_panel) next = {data + at * CK_NAME(stored_bytes)(type, pairs), m->row_bytes};
        CK_NAME(panel_tiles)(type, pairs, panel, count, x, tokens, sums, next);
      }
      for (int64_t t = 0; t < tokens; t++) {
        float *place = out + (base + t) * out_stride + row;
        for (int64_t r = 0; r < rows; r++) place[r] = CK_NAME(sum)(CK_NAME(load)(sums[t][r]));
      }
    }
  }
}
