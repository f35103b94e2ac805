// Products with F32, F16 and BF16 weights; see ck_lanes.h. The including file defines
// - CK_FLOAT_PARTS: number of registers of sixteen lanes, at most 4; one register's lanes are a part;
// - CK_FLOAT_ROWS, CK_FLOAT_TOKENS: register tile of one part, for many tokens;
// - CK_PANEL_ROWS, CK_PANEL_LINES: rows and lines of a panel, other than 16 where a larger L2 cache gains by it: the
//   more rows, the less often activations stream through the caches; the more lines, the less often sums do;
// - CK_PANEL_TOKENS: number of tokens multiplied with a panel before the next is gathered, where other than 96;
// - CK_FLOAT_BATCH_ROWS: rows of the register tile of a small batch, 4, 2 or 1, with CK_FLOAT_BATCH_TOKENS tokens, 3
//   unless defined, at most 6.
// Weights and activations are read as lines of sixteen lanes. With `pairs` (always a constant) activations are BF16: a
// line holds 32 columns as pairs where the set has BF16 products; else two lines hold their odd and even columns as
// F32.
#ifndef CK_FLOAT_TILE_H
#define CK_FLOAT_TILE_H

#include "ck_output_body.h"
#include "ck_panel.h"

#ifndef CK_PANEL_ROWS
#define CK_PANEL_ROWS 16
#define CK_PANEL_LINES 16
#endif
#ifndef CK_FLOAT_BATCH_TOKENS
#define CK_FLOAT_BATCH_TOKENS 3
#endif
#ifndef CK_PANEL_TOKENS
#define CK_PANEL_TOKENS 96
#endif
_Static_assert(CK_PANEL_LINES <= ck_most_panel_lines, "room for the lines of a token");

enum { CK_NAME(part_lanes) = 16 / CK_FLOAT_PARTS };

#ifdef CK_OWN_BF16
enum { CK_NAME(pair_lines) = 1 };
#else
enum { CK_NAME(pair_lines) = 2 };
#endif

/// Number of lines in a row.
CK_INLINE int64_t CK_NAME(line_count)(const int pairs, int64_t columns) {
  return pairs ? (columns + 31) / 32 * CK_NAME(pair_lines) : (columns + 15) / 16;
}

/// Stores a line of a token: for a small batch as (token, line, 16 lanes), else as (panel of lines, part, token, line,
/// lanes of the part).
CK_INLINE void CK_NAME(pack_line)(
    const int pairs, const struct ck_activations *a, int64_t token, int64_t line, ck_v16 v) {
  if (a->stride <= ck_small_batch_tokens) {
    CK_NAME(store)(a->lines + 16 * (token * CK_NAME(line_count)(pairs, a->columns) + line), v);
    return;
  }
  enum { lanes = CK_NAME(part_lanes) };
  CK_UNROLL
  for (int p = 0; p < CK_FLOAT_PARTS; p++) {
    int64_t of_part = (line / CK_PANEL_LINES * CK_FLOAT_PARTS + p) * a->stride + token;
    float *place = a->lines + lanes * (of_part * CK_PANEL_LINES + line % CK_PANEL_LINES);
    memcpy(place, (const float *)&v + lanes * p, lanes * sizeof(float));
  }
}

/// Address of line i, of 32 bytes, of a row.
CK_INLINE const uint8_t *CK_NAME(halves_at)(const uint8_t *row, int64_t step, int64_t i) {
  return row + i / 2 * step + i % 2 * 32;
}

/// Loads a line of weights of a row whose blocks of 64 bytes are `step` bytes apart; `type` is a constant.
CK_INLINE ck_v16 CK_NAME(weights)(const int type, const int pairs, const uint8_t *row, int64_t step, int64_t line) {
  if (type == CK_F32 || (pairs && CK_NAME(pair_lines) == 1)) return (ck_v16)CK_NAME(words)(row + step * line);
  if (pairs) {
    ck_u16 w = CK_NAME(words)(row + step * (line / 2));
    return (ck_v16)(line % 2 ? w << 16 : w & 0xffff0000u);
  }
  const uint16_t *halves = (const uint16_t *)CK_NAME(halves_at)(row, step, line);
  return type == CK_F16 ? CK_NAME(widen)(halves) : CK_NAME(widen_bf16)(halves);
}

/// Loads the last line of a row, padded with zeros.
CK_INLINE ck_v16 CK_NAME(last_weights)(
    const int type, const int pairs, const uint8_t *row, int64_t step, int64_t line, int64_t columns) {
  const int size = type == CK_F32 ? 4 : 2, width = pairs ? 32 : 16;
  int64_t first = pairs ? line / CK_NAME(pair_lines) * 32 : line * 16;
  int64_t count = columns - first < width ? columns - first : width;
  uint8_t padded[64] = {0};
  memcpy(padded, row + first * size / 64 * step + first * size % 64, (size_t)(count * size));
  return CK_NAME(weights)(type, pairs, padded, 0, pairs ? line % CK_NAME(pair_lines) : 0);
}

CK_INLINE ck_v16 CK_NAME(add_line)(const int pairs, ck_v16 sum, ck_v16 w, ck_v16 x) {
#ifdef CK_OWN_BF16
  if (pairs) return CK_NAME(pair_product)(sum, (ck_u16)w, (ck_u16)x);
#endif
  return CK_NAME(fma)(w, x, sum);
}

/// Register tile of one line: adds the products of line i of the 64 bytes at `data` of `rows` rows, `distance` bytes
/// apart, with the line at x of `tokens` tokens, `x_bytes` apart (both numbers are constants).
CK_INLINE void CK_NAME(float_products)(
    const int type, const int pairs, const int rows, const int tokens, const uint8_t *data, int64_t distance,
    const int i, const uint8_t *x, int64_t x_bytes, ck_v16 (*sum)[CK_FLOAT_BATCH_TOKENS]) {
  ck_v16 w[4];
  CK_UNROLL
  for (int r = 0; r < rows; r++) w[r] = CK_NAME(weights)(type, pairs, data + r * distance, 0, i);
  CK_UNROLL
  for (int t = 0; t < tokens; t++) {
    ck_v16 v = (ck_v16)CK_NAME(words)(x + t * x_bytes);
    CK_UNROLL
    for (int r = 0; r < rows; r++) sum[r][t] = CK_NAME(add_line)(pairs, sum[r][t], w[r], v);
  }
}

/// Complete products of `rows` rows at `place` and `tokens` tokens (both constants), `x_bytes` apart. Unless `ahead` is
/// 0 the weights are prefetched; for one token at that distance in bytes.
CK_INLINE void CK_NAME(float_tile)(
    const int type, const int pairs, const int rows, const int tokens, const uint8_t *data, struct ck_row_place place,
    int64_t columns, const uint8_t *x, int64_t x_bytes, float *out, int64_t out_stride, int ahead) {
  const int size = type == CK_F32 ? 4 : 2, width = pairs ? 32 : 16, lines = pairs ? CK_NAME(pair_lines) : 1;
  // Number of lines in 64 bytes of a row.
  const int together = 64 / (size * width) * lines;
  ck_v16 sum[4][CK_FLOAT_BATCH_TOKENS];
  CK_UNROLL
  for (int r = 0; r < rows; r++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) sum[r][t] = (ck_v16){0};
  }
  int64_t whole = columns / width * lines, line = 0;
  for (const uint8_t *next = data; line < whole; next += place.step) {
    if (ahead) {
      CK_UNROLL
      for (int r = 0; r < rows; r++) {
        if (tokens > 1) ck_prefetch_small_batch(next + r * place.distance);
        else __builtin_prefetch(next + r * place.distance + ahead);
      }
    }
    CK_UNROLL
    for (int i = 0; i < together; i++, line++) {
      if (i > 0 && line == whole) break;
      CK_NAME(float_products)(type, pairs, rows, tokens, next, place.distance, i, x + 64 * line, x_bytes, sum);
    }
  }
  if (columns % width) {
    for (int64_t line = whole; line < whole + lines; line++) {
      CK_UNROLL
      for (int r = 0; r < rows; r++) {
        ck_v16 w = CK_NAME(last_weights)(type, pairs, data + r * place.distance, place.step, line, columns);
        CK_UNROLL
        for (int t = 0; t < tokens; t++) {
          // Not a masked load, which makes the compiler keep the sums in memory throughout.
          uint8_t last[64] = {0};
          memcpy(last, x + t * x_bytes + 64 * line, pairs ? 64 : (size_t)(columns - 16 * line) * sizeof(float));
          sum[r][t] = CK_NAME(add_line)(pairs, sum[r][t], w, (ck_v16)CK_NAME(words)(last));
        }
      }
    }
  }
  CK_UNROLL
  for (int t = 0; t < tokens; t++) {
    CK_UNROLL
    for (int r = 0; r < rows; r++) out[t * out_stride + r] = CK_NAME(reduce_add)(sum[r][t]);
  }
}

CK_INLINE void CK_NAME(multiply_float_batch)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t first_row, int64_t row_count,
    const struct ck_activations *a, const struct ck_output *to) {
  enum { some = CK_FLOAT_BATCH_ROWS };
  const uint8_t *x = (const uint8_t *)(pairs ? a->lines : a->x);
  int64_t x_bytes = pairs ? 64 * CK_NAME(line_count)(1, m->columns) : m->columns * (int64_t)sizeof(float);
  struct ck_row_place place = ck_row_place_of(m);
  int64_t end = first_row + row_count;
  int64_t passes = (a->count + CK_FLOAT_BATCH_TOKENS - 1) / CK_FLOAT_BATCH_TOKENS;
  for (int64_t t = 0, tokens; t < a->count; t += tokens, passes--) {
    tokens = (a->count - t + passes - 1) / passes;
    // Later tokens find the weights in the cache.
    int ahead = t > 0 || !m->is_packed ? 0 : tokens > 1 ? ck_small_batch_near : m->prefetch_near;
    for (int64_t row = first_row; row < end;) {
#define TILE(rows, tokens, i, ahead)                                                                        \
  CK_NAME(float_tile)(                                                                                      \
      type, pairs, rows, tokens, ck_row_start(m, row), place, m->columns, x + (t + (i)) * x_bytes, x_bytes, \
      CK_NAME(place)(to, t + (i), row), to->stride, ahead)
      if (tokens == 1 && m->is_packed && row % ck_bundle_rows == 0 && end - row >= ck_bundle_rows) {
        TILE(ck_bundle_rows, 1, 0, ahead);
        row += ck_bundle_rows;
      } else if (tokens > 1 && row % some == 0 && end - row >= some) {
        if (tokens == 2) TILE(some, 2, 0, ahead);
        else if (tokens == 3) TILE(some, 3, 0, ahead);
#if CK_FLOAT_BATCH_TOKENS == 6
        else if (tokens == 4) TILE(some, 4, 0, ahead);
        else if (tokens == 5) TILE(some, 5, 0, ahead);
        else TILE(some, 6, 0, ahead);
#endif
        row += some;
      } else {
        for (int64_t i = 0; i < tokens; i++) TILE(1, 1, i, 0);
        row += 1;
      }
#undef TILE
    }
    CK_NAME(end_rows)(to, first_row, row_count, tokens, CK_NAME(place)(to, t, first_row), to->stride);
  }
}

#include "ck_float_panel.h"

CK_INLINE void CK_NAME(multiply_floats)(
    const int type, const int pairs, const struct ck_matrix *m, int64_t first_row, int64_t row_count,
    const struct ck_activations *a, const struct ck_output *to) {
  if (a->stride > ck_small_batch_tokens) {
    CK_NAME(multiply_lines)(type, pairs, m, first_row, row_count, a, to);
  } else {
    CK_NAME(multiply_float_batch)(type, pairs, m, first_row, row_count, a, to);
  }
}
#endif
