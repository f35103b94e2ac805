// Products with F32, F16 and BF16 weights in F32, over sixteen lanes of columns; see ck_lanes.h.
#include "ck_float_tile.h"

void CK_NAME(multiply_float)(
    const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride) {
  switch (m->type) {
  case CK_F32: CK_NAME(multiply_floats)(CK_F32, 0, m, first_row, row_count, a, out, out_stride); break;
  case CK_F16: CK_NAME(multiply_floats)(CK_F16, 0, m, first_row, row_count, a, out, out_stride); break;
  default: CK_NAME(multiply_floats)(CK_BF16, 0, m, first_row, row_count, a, out, out_stride); break;
  }
}
