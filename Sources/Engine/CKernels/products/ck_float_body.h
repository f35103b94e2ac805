// Products with F32, F16 and BF16 weights in F32; see ck_float_tile.h.
#include "ck_float_tile.h"

void CK_NAME(lay_f32)(const struct ck_activations *a, int64_t token) {
  const float *x = a->x + token * a->columns;
  for (int64_t line = 0; 16 * line < a->columns; line++) {
    CK_NAME(pack_line)(0, a, token, line, CK_NAME(load_n)(x + 16 * line, a->columns - 16 * line));
  }
}

void CK_NAME(multiply_float)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to) {
  switch (m->type) {
  case CK_F32: CK_NAME(multiply_floats)(CK_F32, 0, m, first_row, row_count, a, to); break;
  case CK_F16: CK_NAME(multiply_floats)(CK_F16, 0, m, first_row, row_count, a, to); break;
  default: CK_NAME(multiply_floats)(CK_BF16, 0, m, first_row, row_count, a, to); break;
  }
}
