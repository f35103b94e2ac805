#ifndef CK_TYPES_H
#define CK_TYPES_H
#include <stdint.h>

/// Storage types of GGUF tensors; the numbers are those of the file format.
enum ck_type {
  CK_F32 = 0, CK_F16 = 1, CK_Q4_0 = 2, CK_Q4_1 = 3, CK_Q5_0 = 6, CK_Q5_1 = 7, CK_Q8_0 = 8,
  CK_Q2_K = 10, CK_Q3_K = 11, CK_Q4_K = 12, CK_Q5_K = 13, CK_Q6_K = 14,
  CK_IQ2_XXS = 16, CK_IQ2_XS = 17, CK_IQ3_XXS = 18, CK_IQ1_S = 19, CK_IQ4_NL = 20, CK_IQ3_S = 21,
  CK_IQ2_S = 22, CK_IQ4_XS = 23, CK_I8 = 24, CK_I16 = 25, CK_I32 = 26, CK_I64 = 27, CK_F64 = 28,
  CK_IQ1_M = 29, CK_BF16 = 30, CK_TQ1_0 = 34, CK_TQ2_0 = 35, CK_MXFP4 = 39,
};

/// Instruction sets. The caller determines once which of them the machine supports and passes one in.
enum ck_set {
  CK_SCALAR = 0, CK_AVX2 = 1, CK_AVX512 = 2, CK_NEON = 3, CK_AVX512_BF16 = 4, CK_NEON_DOT = 5, CK_NEON_I8MM = 6,
  CK_AVX_VNNI = 7,
};

/// Indicates whether this machine (and this build) can run an instruction set.
int ck_set_is_available(int set);

/// Traits of a storage type. Quantized values are scale * (q - (1 << zero_shift)) + bias, with one scale (and bias) for
/// each `group` values.
struct ck_traits {
  int32_t block_size;   // values in a block
  int32_t block_bytes;
  int32_t group;        // 16 or 32; 0 for types that are not quantized
  int32_t zero_shift;   // the zero point is 1 << zero_shift; -1: no zero point
  int32_t has_bias;
  int32_t highest_bit;  // of q, where there is a bias; else zero_shift
};

/// Returns the traits of a type; all zero for an unknown type.
struct ck_traits ck_type_traits(int type);

float ck_f16_to_f32(uint16_t half);
/// Rounds to nearest even; overflow gives infinity.
uint16_t ck_f32_to_f16(float value);
float ck_bf16_to_f32(uint16_t value);
uint16_t ck_f32_to_bf16(float value);

/// Decodes quantized blocks to integers, scales and biases.
/// - count: number of values, a multiple of the block size
/// - q: (count,), scale: (count / group,), bias: (count / group,) written only where the type has one
void ck_decode(int type, const void *blocks, int64_t count, uint8_t *q, float *scale, float *bias);

/// Dequantizes `count` values, a multiple of the block size, of any type but the plain integers to F32.
void ck_dequantize(int type, const void *blocks, int64_t count, float *out);

#endif
