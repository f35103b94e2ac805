#ifndef CK_MULTIPLY_H
#define CK_MULTIPLY_H
#include <stdint.h>

/// Largest number of tokens of a small batch, which is multiplied while the weights stream from memory once.
enum { ck_small_batch_tokens = 8 };
/// Largest number of lines of sixteen lanes in a panel of F32, F16 or BF16 weights, on any set.
enum { ck_most_panel_lines = 64 };

/// Up to 256 activations of one token, quantized to 8 bits: value = d * q with one scale d for each 32. The sums serve
/// weight types with a zero point or a bias.
struct ck_activation_chunk {
  int8_t q[256];           // (column,)
  float d[8];              // (column / 32,) scales
  float scaled_sum32[8];   // (column / 32,) d * sum of q
  int32_t minus_sum32[8];  // (column / 32,) -sum of q
  int32_t minus_sum16[16]; // (column / 16,) -sum of q
  float scaled_sum16[16];  // (column / 16,) d * sum of q
  uint8_t padding[32];
};

/// Up to 256 activations of one token, quantized to 16 bits, for models that lose accuracy with 8.
struct ck_int16_chunk {
  int16_t q[256];
  float d[8];
  float scaled_sum32[8];
  float scaled_sum16[16];
};

/// Activations to multiply with, one row for each token, and at most one form of them that suits the type of the
/// weights.
struct ck_activations {
  int64_t columns;  // a multiple of 32 where an integer form is used
  int64_t count;    // tokens
  int64_t stride;   // tokens for which the form has room; at least `count`
  const float *x;   // (count, columns)
  struct ck_activation_chunk *chunks;  // (columns / 256 rounded up, stride), on a 64-byte boundary
  struct ck_int16_chunk *int16;       // the same shape; used instead of `chunks` where it is not NULL
  // For F32, F16 and BF16 weights: lines of sixteen lanes, on a 64-byte boundary. Shape: (lines / n rounded up, p,
  // stride, n lines, 16 / p lanes), with n and p fixed by the set; for a stride up to ck_small_batch_tokens (stride,
  // lines, 16 lanes), where F32 is multiplied as `x` and this is NULL.
  float *lines;
  int32_t has_bf16_lines;  // whether `lines` are BF16, for BF16 weights
};

/// Size of the lines of one token, in F32 or BF16, for a set, in bytes.
int64_t ck_line_bytes(int set, int is_bf16, int64_t columns);

/// Output of a product: activation(sum + bias).
struct ck_output {
  float *start;        // (tokens, stride), at row 0
  int64_t stride;
  const float *bias;   // (rows,), or NULL
  int32_t activation;  // of ck_activation; -1: none
};

/// A matrix of weights.
struct ck_matrix {
  const uint8_t *data;  // rows of blocks, or packed groups of 16 rows (see ck_pack) on a 64-byte boundary
  int64_t rows;
  int64_t columns;
  int64_t row_bytes;    // of a stored row
  int32_t type;
  int32_t is_packed;
  // Prefetch distances of packed weights, in bytes before they are read, for products with one token or a small batch.
  // Integer weights are prefetched twice: `prefetch_far` ahead into L2 (into L1 where `prefetches_to_l1`), and
  // `prefetch_near` ahead into L1, which has evicted some by then. F32, F16 and BF16 weights are prefetched once,
  // `prefetch_near` ahead. 0: left to the hardware prefetcher.
  int32_t prefetch_far, prefetch_near, prefetches_to_l1;
};

/// Quantizes tokens `first ..< first + count` of a->x to a->chunks or a->int16, or packs them into a->lines.
/// Each 32 values share the scale max|x| / 127 (or 32767); values round to nearest even.
void ck_quantize_activations(int set, const struct ck_activations *a, int64_t first, int64_t count);
/// Quantizes columns `first ..< first + columns` (both multiples of 32) of every token of a wider input.
/// - x: (tokens, columns)
/// - to: (columns of the whole input / 256 rounded up, tokens); only the sums that weights of `type` need are written
void ck_quantize_columns(
    int set, int type, const float *x, int64_t columns, int64_t tokens, int64_t first, struct ck_activation_chunk *to);

/// Size of a packed group of 16 rows, in bytes; 0 for a type that is multiplied as stored.
int64_t ck_packed_group_bytes(int type, int64_t columns);
/// Packs groups `first ..< first + count` of 16 rows of a stored matrix. Rows of a group are interleaved word by word,
/// so that one load reads the same columns of 16 rows; the chunks of two groups alternate. Rows of F32, F16 and BF16
/// are interleaved four by four, 64 bytes at a time. Rows beyond the matrix repeat its last row.
/// - packed: place of group `first`, which is even; so is `count`, unless the matrix ends
void ck_pack(int set, const struct ck_matrix *m, int64_t first, int64_t count, uint8_t *packed);

/// to->start[t * to->stride + r] = activation(bias[r] + sum over k of weight(r, k) * x(t, k)), for rows
/// `first_row ..< first_row + row_count` and all tokens. `first_row` is a multiple of 16.
///
/// Quantized types use integer activations. For each 32 columns in turn, with integer sums i and the block's scale and
/// bias,
///   part = (float)i * scale          (groups of 16: part = fma((float)i2, scale2, (float)i1 * scale1))
///   sum  = fma(part, d, sum)         and with a bias: sum = fma(d * sum(q), bias, sum)
/// which gives the same bits for any number of tokens, any range of rows, and on every instruction set, as long as
/// scales are finite. Scales of MXFP4 above 2^100, which no model has, count as 2^100.
///
/// F32 and F16 weights use F32 throughout: lane k % 16 accumulates its products in order, then the lanes are added as a
/// tree; again the same bits everywhere. With BF16 weights and activations lane k / 2 % 16 accumulates its products, of
/// each pair of columns the second first; the same bits everywhere, except that values below 2^-126 count as 0 in BF16
/// instructions.
void ck_multiply(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to);

#endif
