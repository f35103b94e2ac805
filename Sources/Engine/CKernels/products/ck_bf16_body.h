// Products of BF16 weights with activations rounded to BF16; see ck_float_tile.h.
#include "ck_float_tile.h"

void CK_NAME(pack_bf16)(const struct ck_activations *a, int64_t token) {
  const float *x = a->x + token * a->columns;
  int64_t line = 0;
  for (int64_t column = 0; column < a->columns; column += 32) {
    ck_h16 halves[2] = {0};
    for (int i = 0; i < 2; i++) {
      int64_t left = a->columns - column - 16 * i;
      if (left > 0) halves[i] = CK_NAME(to_bf16)(CK_NAME(load_n)(x + column + 16 * i, left));
    }
    uint8_t pairs[64];
    memcpy(pairs, halves, sizeof pairs);
    for (int i = 0; i < CK_NAME(pair_lines); i++, line++) {
      CK_NAME(pack_line)(1, a, token, line, CK_NAME(weights)(CK_BF16, 1, pairs, 0, i));
    }
  }
}

void CK_NAME(multiply_bf16)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to) {
  CK_NAME(multiply_floats)(CK_BF16, 1, m, first_row, row_count, a, to);
}
