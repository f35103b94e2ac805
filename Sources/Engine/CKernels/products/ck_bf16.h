// Products of BF16 weights with activations rounded to BF16.
#ifndef CK_BF16_H
#define CK_BF16_H
#include "ck_multiply.h"

/// Packs the lines of one token, where `a->has_bf16_lines`.
void ck_pack_bf16(int set, const struct ck_activations *a, int64_t token);
/// ck_multiply with such activations.
void ck_multiply_bf16(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to);

#endif
