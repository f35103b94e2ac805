// Products of many tokens with F32, F16 and BF16 weights: a panel of some lines of some rows is gathered in the L2
// cache and multiplied with all tokens; see ck_float_tile.h. A set that can convert F16 on ports its multiply-adds
// leave free defines CK_WIDENS_LATE and widen_part: its panels keep F16, which leaves more of the cache to sums. A set
// that gains by prefetching the inputs of the next tile and the next panel defines CK_FLOAT_PREFETCHES.

/// Part of CK_PANEL_LINES lines of a row of weights, or of a token: (line, lane).
typedef float CK_NAME(part_lines)[CK_PANEL_LINES][CK_NAME(part_lanes)];

typedef float CK_NAME(part) __attribute__((vector_size(64 / CK_FLOAT_PARTS)));

CK_INLINE CK_NAME(part) CK_NAME(load_part)(const float *p) {
  CK_NAME(part) v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// Part of the lanes of a sum.
typedef float CK_NAME(part_sum)[CK_NAME(part_lanes)];

/// Sums of a panel's rows and tokens: (part, tile of tokens, row, token, lane), so that the sums of a tile are
/// contiguous.
typedef CK_NAME(part_sum) CK_NAME(panel_sums)[CK_FLOAT_PARTS][CK_PANEL_TOKENS * CK_PANEL_ROWS];

/// Indicates whether a panel keeps weights as F16; a constant.
CK_INLINE int CK_NAME(keeps_halves)(const int type) {
#ifdef CK_WIDENS_LATE
  return type == CK_F16;
#else
  (void)type;
  return 0;
#endif
}

/// Size of a part of a line in a panel, in bytes.
CK_INLINE int64_t CK_NAME(part_bytes)(const int type) {
  return CK_NAME(part_lanes) * (CK_NAME(keeps_halves)(type) ? 2 : 4);
}

/// Loads a part of a line in a panel.
CK_INLINE CK_NAME(part) CK_NAME(panel_part)(const int type, const uint8_t *part) {
#ifdef CK_WIDENS_LATE
  if (CK_NAME(keeps_halves)(type)) return CK_NAME(widen_part)((const uint16_t *)part);
#endif
  (void)type;
  return CK_NAME(load_part)((const float *)part);
}

CK_INLINE CK_NAME(part) CK_NAME(add_part)(const int pairs, CK_NAME(part) sum, CK_NAME(part) w, CK_NAME(part) x) {
#ifdef CK_OWN_BF16
  if (pairs) return CK_NAME(pair_product)(sum, (ck_u16)w, (ck_u16)x);
#endif
  return __builtin_elementwise_fma(w, x, sum);
}

/// Register tile: adds the products of a part of `lines` lines of CK_FLOAT_ROWS rows and `tokens` tokens (a constant)
/// to sums (row, token), which start at 0 where `begins`.
CK_INLINE void CK_NAME(panel_tile)(
    const int type, const int pairs, const int tokens, const uint8_t *panel, int64_t lines,
    const CK_NAME(part_lines) *x, int begins, CK_NAME(part_sum) *sums) {
  const int64_t bytes = CK_NAME(part_bytes)(type);
  CK_NAME(part) sum[CK_FLOAT_ROWS][CK_FLOAT_TOKENS];
  CK_UNROLL
  for (int r = 0; r < CK_FLOAT_ROWS; r++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) sum[r][t] = begins ? (CK_NAME(part)){0} : CK_NAME(load_part)(sums[tokens * r + t]);
  }
#pragma clang loop unroll_count(4)
  for (int64_t i = 0; i < lines; i++) {
    CK_NAME(part) w[CK_FLOAT_ROWS];
    CK_UNROLL
    for (int r = 0; r < CK_FLOAT_ROWS; r++) w[r] = CK_NAME(panel_part)(type, panel + bytes * (CK_PANEL_LINES * r + i));
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      CK_NAME(part) v = CK_NAME(load_part)(x[t][i]);
      CK_UNROLL
      for (int r = 0; r < CK_FLOAT_ROWS; r++) sum[r][t] = CK_NAME(add_part)(pairs, sum[r][t], w[r], v);
    }
  }
  CK_UNROLL
  for (int r = 0; r < CK_FLOAT_ROWS; r++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) memcpy(sums[tokens * r + t], &sum[r][t], sizeof sum[r][t]);
  }
}

/// Size of a panel's lines in a stored row, in bytes.
CK_INLINE int CK_NAME(stored_bytes)(const int type, const int pairs) {
  return CK_PANEL_LINES * (type == CK_F32 || (pairs && CK_NAME(pair_lines) == 1) ? 64 : 32);
}

/// Weights to prefetch while a panel is multiplied: the same lines of as many rows, of which `together` are contiguous.
typedef struct {
  const uint8_t *start;
  int together;
  int64_t bytes;  // from one piece to the next
} CK_NAME(next_panel);

/// Prefetches the share of the next panel that goes with tokens `first ..< end` of `tokens`.
CK_INLINE void CK_NAME(prefetch_panel)(
    CK_NAME(next_panel) next, const int row_lines, int64_t first, int64_t end, int64_t tokens) {
#ifdef CK_FLOAT_PREFETCHES
  int64_t lines = next.together * row_lines;
  for (int64_t i = first * CK_PANEL_ROWS * row_lines / tokens; i < end * CK_PANEL_ROWS * row_lines / tokens; i++) {
    __builtin_prefetch(next.start + i / lines * next.bytes + i % lines * 64, 0, 2);
  }
#endif
}

/// Prefetches the share of the activations of `tokens` tokens that goes with CK_FLOAT_ROWS rows from `row` of a panel.
CK_INLINE void CK_NAME(prefetch_inputs)(const CK_NAME(part_lines) *x, const int tokens, int row) {
#ifdef CK_FLOAT_PREFETCHES
  const int lines = tokens * (int)sizeof *x / 64;
  for (int i = lines * row / CK_PANEL_ROWS; i < lines * (row + CK_FLOAT_ROWS) / CK_PANEL_ROWS; i++) {
    __builtin_prefetch((const uint8_t *)x + 64 * i);
  }
#endif
}

/// Loads the sixteen lanes of a sum.
CK_INLINE ck_v16 CK_NAME(whole_sum)(const CK_NAME(panel_sums) *sums, int64_t at) {
  _Alignas(64) float lanes[16];
  CK_UNROLL
  for (int p = 0; p < CK_FLOAT_PARTS; p++) {
    memcpy(lanes + CK_NAME(part_lanes) * p, (*sums)[p][at], sizeof(CK_NAME(part_sum)));
  }
  return CK_NAME(load)(lanes);
}

#define EVERY_FOUR(a, b, c, d)                                                                                      \
  a, b, c, d, (a) + 4, (b) + 4, (c) + 4, (d) + 4, (a) + 8, (b) + 8, (c) + 8, (d) + 8, (a) + 12, (b) + 12, (c) + 12, \
      (d) + 12

/// Reduces the sums of sixteen rows, which start at `first` and are `tokens` sums apart, each in the tree of
/// CK_NAME(reduce_add).
CK_INLINE ck_v16 CK_NAME(sums_of_rows)(const CK_NAME(panel_sums) *sums, int64_t first, const int tokens) {
  ck_v16 v[4];
  // Four lanes are left of each of the rows j, j + 4, j + 8 and j + 12 in v[j].
  CK_UNROLL
  for (int j = 0; j < 4; j++) {
    ck_v16 half[2];
    CK_UNROLL
    for (int i = 0; i < 2; i++) {
      ck_v16 a = CK_NAME(whole_sum)(sums, first + tokens * (j + 4 * i));
      ck_v16 b = CK_NAME(whole_sum)(sums, first + tokens * (j + 4 * i + 8));
      half[i] = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23) +
                __builtin_shufflevector(a, b, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31);
    }
    v[j] = __builtin_shufflevector(half[0], half[1], 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27) +
           __builtin_shufflevector(half[0], half[1], 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31);
  }
  // Then two, of eight rows each.
  CK_UNROLL
  for (int j = 0; j < 2; j++) {
    v[j] = __builtin_shufflevector(v[2 * j], v[2 * j + 1], EVERY_FOUR(0, 1, 16, 17)) +
           __builtin_shufflevector(v[2 * j], v[2 * j + 1], EVERY_FOUR(2, 3, 18, 19));
  }
  return __builtin_shufflevector(v[0], v[1], EVERY_FOUR(0, 2, 16, 18)) +
         __builtin_shufflevector(v[0], v[1], EVERY_FOUR(1, 3, 17, 19));
}
#undef EVERY_FOUR

/// Output of the products of a panel, with their rows and tokens.
typedef struct {
  const struct ck_output *to;
  int64_t row, token;
  int rows, tokens;
} CK_NAME(products);

/// Reduces and stores the complete sums of `tokens` tokens (a constant) from t.
CK_INLINE void CK_NAME(store_sums)(const CK_NAME(panel_sums) *sums, const int tokens, CK_NAME(products) out, int t) {
  for (int r = 0; r < out.rows; r += 16) {
    for (int i = 0; i < tokens; i++) {
      ck_v16 v = CK_NAME(sums_of_rows)(sums, CK_PANEL_ROWS * t + tokens * r + i, tokens);
      float *place = CK_NAME(place)(out.to, out.token + t + i, out.row + r);
      memcpy(place, &v, (size_t)(out.rows - r < 16 ? out.rows - r : 16) * sizeof(float));
    }
  }
  CK_NAME(end_rows)(
      out.to, out.row, out.rows, tokens, CK_NAME(place)(out.to, out.token + t, out.row), out.to->stride);
}

/// Multiplies a panel with tokens whose parts of a line are `stride` tokens apart. The activations of a tile, one part
/// at a time, stay in L1 while the rows of the panel pass.
CK_INLINE void CK_NAME(panel_tiles)(
    const int type, const int pairs, const uint8_t *panel, int64_t lines, const CK_NAME(part_lines) *x, int64_t stride,
    int begins, int ends, CK_NAME(panel_sums) *sums, CK_NAME(products) out, CK_NAME(next_panel) next) {
  enum { full = CK_FLOAT_TOKENS, half = (CK_FLOAT_TOKENS + 1) / 2 };
  const int row_lines = CK_NAME(stored_bytes)(type, pairs) / 64;
  const int64_t row_bytes = CK_NAME(part_bytes)(type) * CK_PANEL_LINES;
  int t = 0;
#define TILES_OF(width)                                                                                             \
  for (; t + (width) <= out.tokens; t += (width)) {                                                                 \
    CK_NAME(prefetch_panel)(next, row_lines, t, t + (width), out.tokens);                                           \
    for (int p = 0; p < CK_FLOAT_PARTS; p++) {                                                                      \
      const CK_NAME(part_lines) *own = x + p * stride + t;                                                          \
      const CK_NAME(part_lines) *later = p + 1 < CK_FLOAT_PARTS ? own + stride : x + t + (width);                   \
      const uint8_t *part = panel + row_bytes * CK_PANEL_ROWS * p;                                                  \
      CK_NAME(part_sum) *place = (*sums)[p] + CK_PANEL_ROWS * t;                                                    \
      for (int r = 0; r < (out.rows + 15) / 16 * 16; r += CK_FLOAT_ROWS) {                                          \
        CK_NAME(prefetch_inputs)(later, width, r);                                                                  \
        CK_NAME(panel_tile)(type, pairs, width, part + row_bytes * r, lines, own, begins, place + (width) * r);     \
      }                                                                                                             \
    }                                                                                                               \
    if (ends) CK_NAME(store_sums)(sums, width, out, t);                                                             \
  }
  TILES_OF(full)
  TILES_OF(half)
  TILES_OF(1)
#undef TILES_OF
}

/// Stores the parts of a line, of `bytes` bytes each, in a panel, the first at `place`.
CK_INLINE void CK_NAME(put_line)(const int64_t bytes, const uint8_t *line, uint8_t *place) {
  CK_UNROLL
  for (int p = 0; p < CK_FLOAT_PARTS; p++) {
    memcpy(place + bytes * CK_PANEL_LINES * CK_PANEL_ROWS * p, line + bytes * p, (size_t)bytes);
  }
}

/// Gathers lines of a panel's rows, part by part; rows up to a multiple of sixteen repeat the last one.
CK_INLINE void CK_NAME(fill_float_panel)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t row, int64_t rows, int64_t first, int64_t lines,
    uint8_t *panel) {
  const int64_t bytes = CK_NAME(part_bytes)(type), columns = m->columns, step = ck_row_place_of(m).step;
  int64_t whole = (pairs ? columns / 32 * CK_NAME(pair_lines) : columns / 16) - first;
  if (whole > lines) whole = lines;
  for (int64_t r = 0; r < (rows + 15) / 16 * 16; r++, panel += bytes * CK_PANEL_LINES) {
    const uint8_t *data = ck_row_start(m, row + (r < rows ? r : rows - 1));
    for (int64_t i = 0; i < whole; i++) {
      if (CK_NAME(keeps_halves)(type)) {
        CK_NAME(put_line)(bytes, CK_NAME(halves_at)(data, step, first + i), panel + bytes * i);
      } else {
        ck_v16 w = CK_NAME(weights)(type, pairs, data, step, first + i);
        CK_NAME(put_line)(bytes, (const uint8_t *)&w, panel + bytes * i);
      }
    }
    for (int64_t i = whole; i < lines; i++) {
      if (CK_NAME(keeps_halves)(type)) {
        _Alignas(64) uint8_t halves[32] = {0};
        memcpy(halves, CK_NAME(halves_at)(data, step, first + i), (size_t)(2 * (columns - 16 * (first + i))));
        CK_NAME(put_line)(bytes, halves, panel + bytes * i);
      } else {
        ck_v16 w = CK_NAME(last_weights)(type, pairs, data, step, first + i, columns);
        CK_NAME(put_line)(bytes, (const uint8_t *)&w, panel + bytes * i);
      }
    }
  }
}

CK_INLINE void CK_NAME(multiply_lines)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t first_row, int64_t row_count,
    const struct ck_activations *a, const struct ck_output *to) {
  _Alignas(64) uint8_t panel[CK_FLOAT_PARTS * CK_PANEL_ROWS * sizeof(CK_NAME(part_lines))];
  _Alignas(64) CK_NAME(panel_sums) sums;
  int64_t lines = CK_NAME(line_count)(pairs, m->columns);
  for (int64_t base = 0; base < a->count; base += CK_PANEL_TOKENS) {
    int64_t tokens = a->count - base < CK_PANEL_TOKENS ? a->count - base : CK_PANEL_TOKENS;
    for (int64_t row = first_row; row < first_row + row_count; row += CK_PANEL_ROWS) {
      int64_t rows = first_row + row_count - row < CK_PANEL_ROWS ? first_row + row_count - row : CK_PANEL_ROWS;
      CK_NAME(products) products = {to, row, base, (int)rows, (int)tokens};
      const CK_NAME(part_lines) *x = (const CK_NAME(part_lines) *)a->lines + base;
      for (int64_t first = 0; first < lines; first += CK_PANEL_LINES, x += CK_FLOAT_PARTS * a->stride) {
        int64_t count = lines - first < CK_PANEL_LINES ? lines - first : CK_PANEL_LINES;
        CK_NAME(fill_float_panel)(type, pairs, m, row, rows, first, count, panel);
        // After the last lines come the next rows.
        int ends = first + CK_PANEL_LINES >= lines;
        int64_t at = ends ? 0 : first / CK_PANEL_LINES + 1;
        const int together = m->is_packed ? ck_bundle_rows : 1;
        CK_NAME(next_panel) next = {
          ck_row_start(m, ends ? row + CK_PANEL_ROWS : row) + at * together * CK_NAME(stored_bytes)(type, pairs),
          together, together * ck_row_bytes(m),
        };
        CK_NAME(panel_tiles)(type, pairs, panel, count, x, a->stride, first == 0, ends, &sums, products, next);
      }
    }
  }
}
