#include "ck_decode.h"

#include <string.h>

#include "ck_types.h"

#pragma STDC FP_CONTRACT OFF

static void decode_block(int type, const void *block, uint8_t *q, float *scale, float *bias) {
  switch (type) {
  case CK_Q4_0: ck_decode_q4_0(block, q, scale, bias); break;
  case CK_Q4_1: ck_decode_q4_1(block, q, scale, bias); break;
  case CK_Q5_0: ck_decode_q5_0(block, q, scale, bias); break;
  case CK_Q5_1: ck_decode_q5_1(block, q, scale, bias); break;
  case CK_Q8_0: ck_decode_q8_0(block, q, scale, bias); break;
  case CK_IQ4_NL: ck_decode_iq4_nl(block, q, scale, bias); break;
  case CK_MXFP4: ck_decode_mxfp4(block, q, scale, bias); break;
  case CK_Q2_K: ck_decode_q2_k(block, q, scale, bias); break;
  case CK_Q3_K: ck_decode_q3_k(block, q, scale, bias); break;
  case CK_Q4_K: ck_decode_q4_k(block, q, scale, bias); break;
  case CK_Q5_K: ck_decode_q5_k(block, q, scale, bias); break;
  case CK_Q6_K: ck_decode_q6_k(block, q, scale, bias); break;
  case CK_IQ4_XS: ck_decode_iq4_xs(block, q, scale, bias); break;
  case CK_TQ1_0: ck_decode_tq1_0(block, q, scale, bias); break;
  case CK_TQ2_0: ck_decode_tq2_0(block, q, scale, bias); break;
  case CK_IQ2_XXS: ck_decode_iq2_xxs(block, q, scale, bias); break;
  case CK_IQ2_XS: ck_decode_iq2_xs(block, q, scale, bias); break;
  case CK_IQ2_S: ck_decode_iq2_s(block, q, scale, bias); break;
  case CK_IQ3_XXS: ck_decode_iq3_xxs(block, q, scale, bias); break;
  case CK_IQ3_S: ck_decode_iq3_s(block, q, scale, bias); break;
  case CK_IQ1_S: ck_decode_iq1_s(block, q, scale, bias); break;
  case CK_IQ1_M: ck_decode_iq1_m(block, q, scale, bias); break;
  default: break;
  }
}

void ck_decode(int type, const void *blocks, int64_t count, uint8_t *q, float *scale, float *bias) {
  struct ck_traits t = ck_type_traits(type);
  if (t.group == 0) return;
  const uint8_t *block = blocks;
  for (int64_t i = 0; i < count; i += t.block_size) {
    decode_block(type, block, q + i, scale + i / t.group, bias + i / t.group);
    block += t.block_bytes;
  }
}

void ck_dequantize(int type, const void *blocks, int64_t count, float *out) {
  const uint8_t *bytes = blocks;
  if (type == CK_F32) {
    memcpy(out, blocks, (size_t)count * 4);
    return;
  }
  if (type == CK_F16 || type == CK_BF16) {
    for (int64_t i = 0; i < count; i++) {
      uint16_t value;
      memcpy(&value, bytes + 2 * i, 2);
      out[i] = type == CK_F16 ? ck_f16_to_f32(value) : ck_bf16_to_f32(value);
    }
    return;
  }
  struct ck_traits t = ck_type_traits(type);
  if (t.group == 0) return;
  float zero = t.zero_shift < 0 ? 0 : (float)(1 << t.zero_shift);
  for (int64_t i = 0; i < count; i += t.block_size, bytes += t.block_bytes) {
    uint8_t q[256];
    float scale[16], bias[16] = {0};
    decode_block(type, bytes, q, scale, bias);
    for (int j = 0; j < t.block_size; j++) {
      out[i + j] = scale[j / t.group] * ((float)q[j] - zero) + bias[j / t.group];
    }
  }
}
