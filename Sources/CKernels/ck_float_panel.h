// Products of many tokens with F32, F16 and BF16 weights: a few lines of some rows are gathered in a cache, and the tokens
// pass; see ck_float_tile.h. A set whose multiply-adds leave room to widen F16 beside them defines CK_WIDENS_LATE and
// widen_part: its panels then keep halves, and more of that cache is left for sums. One that gains by being asked for what
// the next tile and the next panel read defines CK_FLOAT_ASKS.

// Were the sums of a token's rows as long as a way of the first cache, those of several tokens would not fit it together.
enum { CK_NAME(sum_rows) = CK_PANEL_ROWS + 4 };

/// So many lines of a row of weights, or of a token.
typedef float CK_NAME(lines)[CK_PANEL_LINES][16];

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

/// Adds `lines` lines of CK_FLOAT_ROWS rows and `tokens` tokens (a constant) to their sums (token, row, lane), or begins
/// those, a register's part of the lanes after the other.
CK_INLINE void CK_NAME(panel_tile)(
    const int type, const int pairs, const int tokens, const uint8_t *panel, int64_t lines, const CK_NAME(lines) *x,
    int begins, float *sums) {
  const int64_t bytes = CK_NAME(panel_bytes)(type);
  for (int p = 0; p < 16; p += 16 / CK_FLOAT_PARTS) {
    CK_NAME(part) sum[CK_FLOAT_ROWS][CK_FLOAT_TOKENS];
    CK_UNROLL
    for (int r = 0; r < CK_FLOAT_ROWS; r++) {
      CK_UNROLL
      for (int t = 0; t < tokens; t++) {
        sum[r][t] = begins ? (CK_NAME(part)){0} : CK_NAME(load_part)(sums + 16 * (CK_NAME(sum_rows) * t + r) + p);
      }
    }
#pragma clang loop unroll_count(4)
    for (int64_t i = 0; i < lines; i++) {
      CK_NAME(part) w[CK_FLOAT_ROWS];
      CK_UNROLL
      for (int r = 0; r < CK_FLOAT_ROWS; r++) {
        w[r] = CK_NAME(panel_part)(type, panel + bytes * (CK_PANEL_LINES * r + i), p);
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
      for (int t = 0; t < tokens; t++) memcpy(sums + 16 * (CK_NAME(sum_rows) * t + r) + p, &sum[r][t], sizeof sum[r][t]);
    }
  }
}

/// Bytes of a panel's lines in a stored row.
CK_INLINE int CK_NAME(stored_bytes)(const int type, const int pairs) {
  return CK_PANEL_LINES * (type == CK_F32 || (pairs && CK_NAME(pair_lines) == 1) ? 64 : 32);
}

/// Weights to ask for while a panel is multiplied: the same few bytes of as many rows.
typedef struct {
  const uint8_t *start;
  int64_t row_bytes;
} CK_NAME(next_panel);

/// Asks for the share of them that goes with tokens `first ..< end` of `tokens`.
CK_INLINE void CK_NAME(ask_for_panel)(
    CK_NAME(next_panel) next, const int row_lines, int64_t first, int64_t end, int64_t tokens) {
#ifdef CK_FLOAT_ASKS
  for (int64_t i = first * CK_PANEL_ROWS * row_lines / tokens; i < end * CK_PANEL_ROWS * row_lines / tokens; i++) {
    __builtin_prefetch(next.start + i / row_lines * next.row_bytes + i % row_lines * 64, 0, 2);
  }
#endif
}

/// Asks for a share of the inputs of `tokens` tokens: that of CK_FLOAT_ROWS rows from `row` of a panel.
CK_INLINE void CK_NAME(ask_for_inputs)(const CK_NAME(lines) *x, const int tokens, int row) {
#ifdef CK_FLOAT_ASKS
  const int lines = tokens * CK_PANEL_LINES;
  for (int i = lines * row / CK_PANEL_ROWS; i < lines * (row + CK_FLOAT_ROWS) / CK_PANEL_ROWS; i++) {
    __builtin_prefetch((const uint8_t *)x + 64 * i);
  }
#endif
}

CK_INLINE void CK_NAME(panel_tiles)(
    const int type, const int pairs, const uint8_t *panel, int64_t lines, const CK_NAME(lines) *x, int64_t tokens,
    int begins, float (*sums)[CK_NAME(sum_rows)][16], CK_NAME(next_panel) next) {
  enum { full = CK_FLOAT_TOKENS, half = (CK_FLOAT_TOKENS + 1) / 2 };
  const int row_lines = CK_NAME(stored_bytes)(type, pairs) / 64;
  int64_t t = 0;
#define TILES_OF(width)                                                                        \
  for (; t + (width) <= tokens; t += (width)) {                                                \
    CK_NAME(ask_for_panel)(next, row_lines, t, t + (width), tokens);                           \
    for (int r = 0; r < CK_PANEL_ROWS; r += CK_FLOAT_ROWS) {                                   \
      CK_NAME(ask_for_inputs)(x + t + (width), width, r);                                      \
      const uint8_t *rows = panel + CK_NAME(panel_bytes)(type) * CK_PANEL_LINES * r;           \
      CK_NAME(panel_tile)(type, pairs, width, rows, lines, x + t, begins, sums[t][r]);         \
    }                                                                                          \
  }
  TILES_OF(full)
  TILES_OF(half)
  TILES_OF(1)
#undef TILES_OF
}

/// Gathers a few lines of a panel's rows; those that are not there count as the last one.
CK_INLINE void CK_NAME(fill_float_panel)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t row, int64_t rows, int64_t first, int64_t lines,
    uint8_t *panel) {
  const int64_t bytes = CK_NAME(panel_bytes)(type);
  for (int64_t r = 0; r < CK_PANEL_ROWS; r++) {
    const uint8_t *data = m->data + (row + (r < rows ? r : rows - 1)) * m->row_bytes;
    int64_t whole = pairs ? m->columns / 32 * CK_NAME(pair_lines) : m->columns / 16;
    for (int64_t i = 0; i < lines; i++) {
      uint8_t *line = panel + bytes * (CK_PANEL_LINES * r + i);
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

/// The sums of the lanes of sixteen vectors, each in the tree of CK_NAME(sum).
CK_INLINE ck_v16 CK_NAME(sums_of_rows)(const float (*rows)[16]) {
  ck_v16 v[16];
  for (int i = 0; i < 16; i++) v[i] = CK_NAME(load)(rows[i]);
#define JOIN(count, first, second)                                                                              \
  for (int i = 0; i < (count); i++) {                                                                           \
    v[i] = __builtin_shufflevector(v[2 * i], v[2 * i + 1], first) + __builtin_shufflevector(v[2 * i], v[2 * i + 1], second); \
  }
#define LANES(...) __VA_ARGS__
  JOIN(8, LANES(0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),
      LANES(8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31))
  JOIN(4, LANES(0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27),
      LANES(4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 28, 29, 30, 31))
  JOIN(2, LANES(0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29),
      LANES(2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31))
  JOIN(1, LANES(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30),
      LANES(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31))
#undef LANES
#undef JOIN
  return v[0];
}

CK_INLINE void CK_NAME(multiply_lines)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t first_row, int64_t row_count,
    const struct ck_activations *a, float *out, int64_t out_stride) {
  _Alignas(64) uint8_t panel[CK_PANEL_ROWS * sizeof(CK_NAME(lines))];
  _Alignas(64) float sums[CK_PANEL_TOKENS][CK_NAME(sum_rows)][16];
  int64_t lines = CK_NAME(line_count)(pairs, m->columns);
  for (int64_t base = 0; base < a->count; base += CK_PANEL_TOKENS) {
    int64_t tokens = a->count - base < CK_PANEL_TOKENS ? a->count - base : CK_PANEL_TOKENS;
    for (int64_t row = first_row; row < first_row + row_count; row += CK_PANEL_ROWS) {
      int64_t rows = first_row + row_count - row < CK_PANEL_ROWS ? first_row + row_count - row : CK_PANEL_ROWS;
      const CK_NAME(lines) *x = (const CK_NAME(lines) *)a->lines + base;
      for (int64_t first = 0; first < lines; first += CK_PANEL_LINES, x += a->stride) {
        int64_t count = lines - first < CK_PANEL_LINES ? lines - first : CK_PANEL_LINES;
        CK_NAME(fill_float_panel)(type, pairs, m, row, rows, first, count, panel);
        // After the last lines come the next rows.
        int64_t at = first + CK_PANEL_LINES < lines ? first / CK_PANEL_LINES + 1 : 0;
        const uint8_t *data = m->data + (at > 0 ? row : row + CK_PANEL_ROWS) * m->row_bytes;
        CK_NAME(next_panel) next = {data + at * CK_NAME(stored_bytes)(type, pairs), m->row_bytes};
        CK_NAME(panel_tiles)(type, pairs, panel, count, x, tokens, first == 0, sums, next);
      }
      for (int64_t t = 0; t < tokens; t++) {
        float *place = out + (base + t) * out_stride + row;
        for (int64_t r = 0; r < rows; r += 16) {
          ck_v16 v = CK_NAME(sums_of_rows)((const float (*)[16])sums[t][r]);
          memcpy(place + r, &v, (size_t)(rows - r < 16 ? rows - r : 16) * sizeof(float));
        }
      }
    }
  }
}
