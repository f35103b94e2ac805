#ifndef CK_MULTIPLY_H
#define CK_MULTIPLY_H
#include <stdint.h>

/// Vectors to multiply with, one a token, and their 8-bit form.
/// value = d * q; sums and d * sums are kept for the types with a zero point or a bias.
struct ck_activations {
  int64_t columns;      // a multiple of 32 where the 8-bit form is used
  int64_t count;        // tokens
  const float *x;       // (count, columns)
  int8_t *q;            // (count, columns)
  float *d;             // (count, columns / 32)
  int32_t *sum16;       // (count, columns / 16)
  int32_t *sum32;       // (count, columns / 32)
  float *dsum16;        // (count, columns / 16)
  float *dsum32;        // (count, columns / 32)
};

/// A matrix of weights.
struct ck_matrix {
  const uint8_t *data;  // rows of blocks, or groups of 16 rows as ck_pack lays them out
  int64_t rows;
  int64_t columns;
  int64_t row_bytes;
  int32_t type;
  int32_t is_packed;
};

/// Fills the 8-bit form of tokens `first ..< first + count` from their F32 values.
/// Each 32 values share a scale of the largest magnitude / 127; values round to nearest even.
void ck_quantize_activations(int set, const struct ck_activations *a, int64_t first, int64_t count);

/// out[t * out_stride + r] = sum over k of weight(r, k) * x(t, k), for rows `first_row ..< first_row + row_count`
/// and all tokens.
///
/// `first_row` is a multiple of 16. Each result's order of additions depends on the type and the column count alone:
/// not on the number of tokens, the rows asked for, or who asks. Types made of small integers use the 8-bit form
/// and give the same bits on every instruction set; F32, F16 and BF16 use F32 arithmetic in 16 partial sums.
void ck_multiply(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride);

#endif
