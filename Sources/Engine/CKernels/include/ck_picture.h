#ifndef CK_PICTURE_H
#define CK_PICTURE_H
#include <stdint.h>

// Convolutions, linear layers, attention and norms of picture models. Pictures are (height, width, channels).

/// Number format of operands: F32, or pairs of BF16; accumulators are F32 in both.
/// A step is 4 bytes of a token and 64 bytes of 16 rows of weights: one F32 channel, or two BF16 channels.
enum ck_form { CK_FORM_F32 = 0, CK_FORM_BF16 = 1 };

/// Largest number of tokens in one call of ck_picture_multiply.
enum { ck_product_tokens = 192 };

/// Packs up to 16 rows of weights (row, channel, tap) as (tap, step, 16 rows); missing rows and the partner of an odd
/// last channel become zeros. `rows` is overwritten.
void ck_picture_pack(
    int set, int form, float *rows, int64_t row_count, int64_t channels, int64_t taps, void *packed);

/// Operations on input tokens while they are packed for a product.
struct ck_input_packing {
  const float *scale, *shift;  // (channels,): x * scale + shift, where there is no layer norm; or NULL
  int32_t is_layer_norm;       // (x - mean) / sqrt(variance + epsilon) * scale + shift instead
  float epsilon;
  int32_t activation;          // of ck_activation, then applied; -1: none
  int32_t form;
};

/// Packs `count` tokens of `channels` values for a product; each is written `repeat` times side by side.
/// - x_stride: floats from one token to the next; out_stride: values from one packed token to the next
void ck_picture_pack_input(
    int set, const struct ck_input_packing *packing, const float *x, int64_t x_stride, int64_t channels, int64_t count,
    int64_t repeat, void *out, int64_t out_stride);

/// A convolution over tokens packed by ck_picture_pack_input; a linear layer has one tap.
struct ck_picture_product {
  const uint8_t *weights;  // (groups, taps, steps, 16 rows), see ck_picture_pack
  int64_t group_bytes;
  int64_t channels;        // of the input, even
  const int64_t *taps;     // (tap_count,) offset of each tap from its token, in values
  int64_t tap_count;
  int32_t form;
  int32_t activation;      // of ck_activation; -1: none
  int32_t gate;            // of ck_activation: results are value * gate(row of group + gate_group); -1: none
  const uint8_t *input;
  int64_t width, height;   // of the results of each picture
  int64_t token_stride, row_stride, picture_stride;  // in the input, in values
  int64_t gate_group;
  int64_t outputs;         // rows that are results
  const float *bias;       // (groups, 16)
  const float *addend;     // (pictures, outputs), added before the activation; or NULL
  const float *residual;   // shape and strides of `out`, added after the activation; or NULL
  float *out;
  int64_t out_stride, out_row_stride;  // floats from one token or row of results to the next
};

/// Computes rows of groups `first_group ..< first_group + groups` for tokens `first ..< first + count` (of all
/// pictures, row by row; at most ck_product_tokens). Sums run over taps and channels in order, of two BF16 channels the
/// second first: the same bits for any division of the work and on every instruction set.
void ck_picture_multiply(
    int set, const struct ck_picture_product *p, int64_t first, int64_t count, int64_t first_group, int64_t groups);

/// sums[c] += sum of x, squares[c] += sum of x * x over x (count, channels).
void ck_picture_moments(int set, const float *x, int64_t channels, int64_t count, double *sums, double *squares);

/// out = activation(x * scale + shift) over x (count, channels), with scale and shift (channels,); activation -1: none;
/// out may be x.
void ck_picture_scale(
    int set, const float *x, const float *scale, const float *shift, int activation, int64_t channels, int64_t count,
    float *out);

/// Queries and keys of one block of attention, and the largest head size.
enum { ck_picture_queries = 32, ck_picture_keys = 384, ck_picture_head_limit = 512 };

/// Attention of one head of one sequence, without a KV cache.
struct ck_picture_attention {
  const float *queries;   // query t at t * query_stride
  const float *keys, *values;
  int64_t query_stride, key_stride, value_stride, out_stride;
  int64_t key_count, head_size;
  float scale;
  int32_t is_causal;      // query t sees keys up to t
  int32_t form;
  uint8_t *packed_keys;   // ck_picture_key_bytes bytes, filled by ck_picture_pack_keys
  uint8_t *packed_values; // ck_picture_value_bytes bytes
  float *out;
};

/// Size of the packed keys, or values, in bytes.
int64_t ck_picture_key_bytes(int form, int64_t key_count, int64_t head_size);
int64_t ck_picture_value_bytes(int form, int64_t key_count, int64_t head_size);
/// Packs the keys and values of groups `first ..< first + count` of 16 keys.
void ck_picture_pack_keys(int set, const struct ck_picture_attention *a, int64_t first, int64_t count);
/// Softmax attention of queries `first ..< first + count`; keys are taken in blocks counted from 0, so that a result
/// does not depend on the queries computed with it.
void ck_picture_attend(int set, const struct ck_picture_attention *a, int64_t first, int64_t count);

/// Runs independent BF16 products for `rounds` rounds and returns the number of multiply-adds.
int64_t ck_peak_bf16(int set, int64_t rounds, float *result);

#endif
