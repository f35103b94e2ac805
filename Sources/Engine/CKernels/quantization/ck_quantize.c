// Quantization of types with blocks of 32 values, and dispatch to the others.
#include "ck_quantize.h"

#include <math.h>
#include <string.h>

#include "ck_blocks.h"
#include "ck_fit.h"
#include "ck_types.h"

static void put_nibbles(const uint8_t *q, uint8_t *qs) {
  for (int j = 0; j < 16; j++) qs[j] = (uint8_t)((q[j] & 15) | (q[j + 16] & 15) << 4);
}

static void put_fifth_bits(const uint8_t *q, uint8_t *qh) {
  memset(qh, 0, 4);
  for (int j = 0; j < 32; j++) qh[j / 8] |= (uint8_t)((q[j] >> 4 & 1) << j % 8);
}

static void symmetric(int type, const float *x, void *block) {
  float weight[32];
  uint8_t q[32];
  int reach = type == CK_Q4_0 ? 8 : 16;
  for (int i = 0; i < 32; i++) weight[i] = x[i] * x[i];
  uint16_t half = ck_half_scale(ck_fit_scale(x, weight, 32, reach));
  float d = ck_f16_to_f32(half), inverse = d != 0 ? 1 / d : 0;
  for (int i = 0; i < 32; i++) q[i] = (uint8_t)(ck_nearest(x[i], inverse, -reach, reach - 1) + reach);
  if (type == CK_Q4_0) {
    ck_block_q4_0 *b = block;
    b->d = half;
    put_nibbles(q, b->qs);
  } else {
    ck_block_q5_0 *b = block;
    b->d = half;
    put_nibbles(q, b->qs);
    put_fifth_bits(q, b->qh);
  }
}

static void affine(int type, const float *x, void *block) {
  float weight[32], d, m;
  uint8_t q[32];
  int high = type == CK_Q4_1 ? 15 : 31;
  for (int i = 0; i < 32; i++) weight[i] = 1;
  ck_fit_affine(x, weight, 32, high, 0, &d, &m);
  uint16_t half_d = ck_half_scale(d), half_m = ck_half_scale(m);
  d = ck_f16_to_f32(half_d);
  m = ck_f16_to_f32(half_m);
  float inverse = d != 0 ? 1 / d : 0;
  for (int i = 0; i < 32; i++) q[i] = (uint8_t)ck_nearest(x[i] - m, inverse, 0, high);
  if (type == CK_Q4_1) {
    ck_block_q4_1 *b = block;
    b->d = half_d;
    b->m = half_m;
    put_nibbles(q, b->qs);
  } else {
    ck_block_q5_1 *b = block;
    b->d = half_d;
    b->m = half_m;
    put_nibbles(q, b->qs);
    put_fifth_bits(q, b->qh);
  }
}

static void eight_bits(const float *x, ck_block_q8_0 *b) {
  float largest = 0;
  for (int i = 0; i < 32; i++) largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
  b->d = ck_half_scale(largest / 127.0f);
  float d = ck_f16_to_f32(b->d), inverse = d != 0 ? 1 / d : 0;
  for (int i = 0; i < 32; i++) b->qs[i] = (int8_t)ck_nearest(x[i], inverse, -127, 127);
}

static void halves(int type, const float *x, int64_t count, uint16_t *out) {
  for (int64_t i = 0; i < count; i++) out[i] = type == CK_F16 ? ck_f32_to_f16(x[i]) : ck_f32_to_bf16(x[i]);
}

static void quantize_block(int type, const float *x, void *block) {
  switch (type) {
  case CK_Q4_0:
  case CK_Q5_0: symmetric(type, x, block); break;
  case CK_Q4_1:
  case CK_Q5_1: affine(type, x, block); break;
  case CK_Q8_0: eight_bits(x, block); break;
  case CK_IQ4_NL:
  case CK_IQ4_XS:
  case CK_MXFP4: ck_quantize_levels_block(type, x, block); break;
  default: ck_quantize_k_block(type, x, block); break;
  }
}

int ck_can_quantize(int type) {
  switch (type) {
  case CK_F32:
  case CK_F16:
  case CK_BF16:
  case CK_Q4_0:
  case CK_Q4_1:
  case CK_Q5_0:
  case CK_Q5_1:
  case CK_Q8_0:
  case CK_Q2_K:
  case CK_Q3_K:
  case CK_Q4_K:
  case CK_Q5_K:
  case CK_Q6_K:
  case CK_IQ4_NL:
  case CK_IQ4_XS:
  case CK_MXFP4: return 1;
  default: return 0;
  }
}

void ck_quantize(int type, const float *x, int64_t count, void *blocks) {
  if (!ck_can_quantize(type)) return;
  if (type == CK_F32) {
    memcpy(blocks, x, (size_t)count * sizeof(float));
    return;
  }
  if (type == CK_F16 || type == CK_BF16) {
    halves(type, x, count, blocks);
    return;
  }
  struct ck_traits t = ck_type_traits(type);
  uint8_t *block = blocks;
  // Beyond the reach of any scale (F16 ends at 65504), and small enough that sums of squares stay finite.
  float limit = type == CK_MXFP4 ? 1e18f : 1e9f;
  for (int64_t i = 0; i < count; i += t.block_size, block += t.block_bytes) {
    float finite[256];
    for (int j = 0; j < t.block_size; j++) {
      finite[j] = isfinite(x[i + j]) ? x[i + j] : 0;
      if (fabsf(finite[j]) > limit) finite[j] = copysignf(limit, finite[j]);
    }
    memset(block, 0, (size_t)t.block_bytes);
    quantize_block(type, finite, block);
  }
}
