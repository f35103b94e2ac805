// Decoders of K-quants and ternary types, with blocks of 256 values.
#include "ck_blocks.h"
#include "ck_decode.h"
#include "ck_types.h"

#pragma STDC FP_CONTRACT OFF

void ck_unpack_k4_scales(const uint8_t packed[12], uint8_t scale[8], uint8_t min[8]) {
  for (int j = 0; j < 4; j++) {
    scale[j] = packed[j] & 63;
    min[j] = packed[j + 4] & 63;
    scale[j + 4] = (packed[j + 8] & 15) | (packed[j] >> 6) << 4;
    min[j + 4] = (packed[j + 8] >> 4) | (packed[j + 4] >> 6) << 4;
  }
}

void ck_unpack_q3_scales(const uint8_t packed[12], uint8_t scale[16]) {
  for (int i = 0; i < 16; i++) {
    int low = i < 8 ? packed[i] & 15 : packed[i - 8] >> 4;
    scale[i] = (uint8_t)(low | (packed[8 + i % 4] >> 2 * (i / 4) & 3) << 4);
  }
}

CK_DECODER(q2_k) {
  const ck_block_q2_k *b = block;
  float d = ck_f16_to_f32(b->d), dmin = ck_f16_to_f32(b->dmin);
  for (int i = 0; i < 16; i++) {
    scale[i] = d * (float)(b->scales[i] & 15);
    bias[i] = -(dmin * (float)(b->scales[i] >> 4));
  }
  for (int i = 0; i < 256; i++) q[i] = b->qs[i / 128 * 32 + i % 32] >> 2 * (i / 32 % 4) & 3;
}

CK_DECODER(q3_k) {
  const ck_block_q3_k *b = block;
  float d = ck_f16_to_f32(b->d);
  uint8_t scales[16];
  ck_unpack_q3_scales(b->scales, scales);
  for (int i = 0; i < 16; i++) scale[i] = d * (float)(scales[i] - 32);
  for (int i = 0; i < 256; i++) {
    q[i] = (b->qs[i / 128 * 32 + i % 32] >> 2 * (i / 32 % 4) & 3) | (b->hmask[i % 32] >> i / 32 & 1) << 2;
  }
}

static void k4_scales(uint16_t d16, uint16_t dmin16, const uint8_t *packed, float *scale, float *bias) {
  float d = ck_f16_to_f32(d16), dmin = ck_f16_to_f32(dmin16);
  uint8_t sc[8], mn[8];
  ck_unpack_k4_scales(packed, sc, mn);
  for (int i = 0; i < 8; i++) {
    scale[i] = d * (float)sc[i];
    bias[i] = -(dmin * (float)mn[i]);
  }
}

CK_DECODER(q4_k) {
  const ck_block_q4_k *b = block;
  k4_scales(b->d, b->dmin, b->scales, scale, bias);
  for (int i = 0; i < 256; i++) q[i] = b->qs[i / 64 * 32 + i % 32] >> 4 * (i / 32 % 2) & 15;
}

CK_DECODER(q5_k) {
  const ck_block_q5_k *b = block;
  k4_scales(b->d, b->dmin, b->scales, scale, bias);
  for (int i = 0; i < 256; i++) {
    q[i] = (b->qs[i / 64 * 32 + i % 32] >> 4 * (i / 32 % 2) & 15) | (b->qh[i % 32] >> i / 32 & 1) << 4;
  }
}

CK_DECODER(q6_k) {
  const ck_block_q6_k *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 16; i++) scale[i] = d * (float)b->scales[i];
  for (int i = 0; i < 256; i++) {
    int half = i / 128, part = i / 32 % 4, l = i % 32;
    int low = b->ql[64 * half + 32 * (part % 2) + l] >> 4 * (part / 2) & 15;
    q[i] = (uint8_t)(low | (b->qh[32 * half + l] >> 2 * part & 3) << 4);
  }
}

CK_DECODER(tq1_0) {
  // Five ternary digits a byte, as a fixed-point fraction: multiplying by 3 shifts one digit out at the top.
  static const uint8_t power[5] = {1, 3, 9, 27, 81};
  const ck_block_tq1_0 *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 8; i++) scale[i] = d;
#define DIGIT(byte, n) ((uint8_t)((uint16_t)((uint8_t)((byte) * power[n])) * 3 >> 8))
  for (int i = 0; i < 160; i++) q[i] = DIGIT(b->qs[i % 32], i / 32);
  for (int i = 0; i < 80; i++) q[160 + i] = DIGIT(b->qs[32 + i % 16], i / 16);
  for (int i = 0; i < 16; i++) q[240 + i] = DIGIT(b->qh[i % 4], i / 4);
#undef DIGIT
}

CK_DECODER(tq2_0) {
  const ck_block_tq2_0 *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 8; i++) scale[i] = d;
  for (int i = 0; i < 256; i++) q[i] = b->qs[i / 128 * 32 + i % 32] >> 2 * (i / 32 % 4) & 3;
}
