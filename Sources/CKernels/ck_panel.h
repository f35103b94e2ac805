// What the multiplications of the instruction sets share.
#ifndef CK_PANEL_H
#define CK_PANEL_H
#include "ck_multiply.h"
#include "ck_types.h"

enum { ck_panel_rows = 16, ck_panel_columns = 256, ck_token_block = 128 };

/// Up to 256 columns of 16 rows, ready to multiply.
typedef struct {
  _Alignas(64) uint8_t q[64][16][4];  // (column / 4, row, column % 4)
  float scale[16][16];                // (column / group, row)
  float bias[16][16];                 // (column / group, row)
} ck_panel;

/// Fills a panel with columns `first ..< first + count` of 16 rows; rows beyond the matrix become zeros.
void ck_unpack_panel_scalar(
    const struct ck_matrix *m, struct ck_traits t, int64_t row, int64_t first, int64_t count, ck_panel *panel);

void ck_multiply_float_scalar(
    const struct ck_matrix *m, int64_t row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride);

#endif
