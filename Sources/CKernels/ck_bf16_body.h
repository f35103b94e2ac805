// Products of BF16 weights with inputs rounded to BF16, over sixteen lanes of two columns each; see ck_bf16.h.
#include "ck_float_tile.h"

void CK_NAME(round_to_bf16)(const struct ck_activations *a, int64_t token) {
  const float *x = a->x + token * a->columns;
  uint8_t *out = a->bf16 + token * ck_bf16_bytes(a->columns);
  for (int64_t column = 0; column < a->columns; column += 32) {
    for (int i = 0; i < 32; i += 16) {
      int64_t left = a->columns - column - i;
      ck_h16 halves = {0};
      if (left > 0) halves = CK_NAME(to_bf16)(CK_NAME(take)(x + column + i, left));
      memcpy(out + 2 * (column + i), &halves, sizeof halves);
    }
  }
}

void CK_NAME(multiply_bf16)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride) {
  CK_NAME(multiply_floats)(CK_BF16, 1, m, first_row, row_count, a, out, out_stride);
}
