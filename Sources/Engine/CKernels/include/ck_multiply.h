#ifndef CK_MULTIPLY_H
#define CK_MULTIPLY_H
#include <stdint.h>

/// Up to so many tokens are multiplied with simple types while the weights stream by.
enum { ck_small_batch_tokens = 8 };
/// The most lines of sixteen lanes that a set multiplies with all tokens at a time.
enum { ck_most_panel_lines = 64 };

/// Up to 256 values of one token in 8 bits: value = d * q for each 32. The sums serve types with a zero point or a bias.
struct ck_activation_chunk {
  int8_t q[256];
  float d[8];              // a scale for 32 values
  float scaled_sum32[8];   // d * sum of q
  int32_t minus_sum32[8];  // - sum of q
  int32_t minus_sum16[16];
  float scaled_sum16[16];
  uint8_t padding[32];
};

/// The same in 16 bits, for models whose results 8 bits would spoil.
struct ck_int16_chunk {
  int16_t q[256];
  float d[8];
  float scaled_sum32[8];
  float scaled_sum16[16];
};

/// Vectors to multiply with, one a token, and what is made of them for the weights they meet: at most one of the forms.
struct ck_activations {
  int64_t columns;  // a multiple of 32 where an integer form is used
  int64_t count;    // tokens
  int64_t stride;   // tokens the integer form has room for; at least `count`
  const float *x;   // (count, columns)
  struct ck_activation_chunk *chunks;  // (columns / 256 rounded up, stride), on a 64-byte boundary
  struct ck_int16_chunk *int16;          // the same; used instead of `chunks` where it is not NULL
  // For F32, F16 and BF16 weights: lines of sixteen lanes, on a 64-byte boundary; (lines / n rounded up, p, stride, n lines,
  // 16 / p lanes) with an n and a p of each set's own, or (stride, lines, 16 lanes) up to ck_small_batch_tokens, where F32 need not be
  // laid and this may be NULL.
  float *lines;
  int32_t has_bf16_lines;  // rounded to BF16, for BF16 weights
};

/// Bytes of the lines of one token: F32, or rounded to BF16 as a set's products want it.
int64_t ck_line_bytes(int set, int is_bf16, int64_t columns);

/// Where the sums of a product go, and what becomes of them there.
struct ck_output {
  float *start;        // (tokens, stride), of row 0
  int64_t stride;
  const float *bias;   // (rows,), added; or NULL
  int32_t activation;  // of ck_activation, then applied; -1: none
};

/// A matrix of weights.
struct ck_matrix {
  const uint8_t *data;  // rows of blocks, or groups as ck_pack lays them out (on a 64-byte boundary)
  int64_t rows;
  int64_t columns;
  int64_t row_bytes;    // of the stored form
  int32_t type;
  int32_t is_packed;
  // How many bytes before it reads them a product with one token or a few asks for packed weights: for the second cache, or
  // where `prefetches_to_l1` for the first, and again, less far ahead, for the first, which loses some on the way. Those of F32,
  // F16 and BF16 are asked for once, `prefetch_near` ahead. 0: it leaves that to the processor.
  int32_t prefetch_far, prefetch_near, prefetches_to_l1;
};

/// Fills the integer form, or else the lines, of tokens `first ..< first + count` from their F32 values.
/// Each 32 values share a scale of the largest magnitude / 127 (or 32767); values round to nearest even.
void ck_quantize_activations(int set, const struct ck_activations *a, int64_t first, int64_t count);
/// Makes the integer form of `columns` columns, a multiple of 32, of every token: of columns from `first`, a multiple of 32
/// too, of an input with more. x is (tokens, columns), `to` that input's form with room for as many tokens, of which what is made
/// serves weights of `type` only.
void ck_quantize_columns(
    int set, int type, const float *x, int64_t columns, int64_t tokens, int64_t first, struct ck_activation_chunk *to);

/// Bytes of one packed group of 16 rows, or 0 for a type that is multiplied as it is stored.
int64_t ck_packed_group_bytes(int type, int64_t columns);
/// Interleaves groups `first ..< first + count` of 16 rows of `m` (as stored) word by word, so that one load reads the
/// same columns of 16 rows, and those of two groups chunk by chunk; rows of F32, F16 and BF16 four by four, 64 bytes of each in
/// turn. Rows beyond the matrix are taken as its last row.
/// `packed` is the place of group `first`, which is even; so is `count`, unless the matrix ends.
void ck_pack(int set, const struct ck_matrix *m, int64_t first, int64_t count, uint8_t *packed);

/// to->start[t * to->stride + r] = activation of (bias[r] + sum over k of weight(r, k) * x(t, k)), for rows
/// `first_row ..< first_row + row_count` and all tokens. `first_row` is a multiple of 16.
///
/// Quantized types use the integer form. For each 32 columns in turn, with integer sums i and the block's scale and bias,
///   part = (float)i * scale          (groups of 16: part = fma((float)i2, scale2, (float)i1 * scale1))
///   sum  = fma(part, d, sum)         and with a bias: sum = fma(d * sum(q), bias, sum)
/// which gives the same bits for any number of tokens, any rows asked for, and on every instruction set, as long as scales are
/// finite. Scales of MXFP4 above 2^100, which no model has, count as 2^100.
/// F32 and F16 weights use F32 throughout: lane k % 16 adds its products in order, then the lanes are added as a tree;
/// again the same bits everywhere. With BF16 weights and inputs lane k / 2 % 16 adds its products, of each two columns the
/// second's first; the same bits everywhere but where a value is below 2^-126, which counts as 0 in instructions for BF16.
void ck_multiply(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to);

#endif
