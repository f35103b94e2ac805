// Products of BF16 weights with inputs rounded to BF16.
#ifndef CK_BF16_H
#define CK_BF16_H
#include "ck_multiply.h"

/// Fills `a->bf16` for one token.
void ck_round_to_bf16(int set, const struct ck_activations *a, int64_t token);
/// ck_multiply where `a->bf16` is given.
void ck_multiply_bf16(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride);

#endif
