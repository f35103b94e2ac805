// Decoders of types with blocks of 32 values.
#include <string.h>

#include "ck_blocks.h"
#include "ck_decode.h"
#include "ck_types.h"

#pragma STDC FP_CONTRACT OFF

static void nibbles(const uint8_t *qs, uint8_t *q) {
  for (int j = 0; j < 16; j++) {
    q[j] = qs[j] & 15;
    q[j + 16] = qs[j] >> 4;
  }
}

static void fifth_bits(const uint8_t *qh, uint8_t *q) {
  for (int j = 0; j < 32; j++) q[j] |= (qh[j / 8] >> j % 8 & 1) << 4;
}

static void look_up(const uint8_t *levels, int count, uint8_t *q) {
  for (int j = 0; j < count; j++) q[j] = levels[q[j]];
}

CK_DECODER(q4_0) {
  const ck_block_q4_0 *b = block;
  nibbles(b->qs, q);
  scale[0] = ck_f16_to_f32(b->d);
}

CK_DECODER(q4_1) {
  const ck_block_q4_1 *b = block;
  nibbles(b->qs, q);
  scale[0] = ck_f16_to_f32(b->d);
  bias[0] = ck_f16_to_f32(b->m);
}

CK_DECODER(q5_0) {
  const ck_block_q5_0 *b = block;
  nibbles(b->qs, q);
  fifth_bits(b->qh, q);
  scale[0] = ck_f16_to_f32(b->d);
}

CK_DECODER(q5_1) {
  const ck_block_q5_1 *b = block;
  nibbles(b->qs, q);
  fifth_bits(b->qh, q);
  scale[0] = ck_f16_to_f32(b->d);
  bias[0] = ck_f16_to_f32(b->m);
}

CK_DECODER(q8_0) {
  const ck_block_q8_0 *b = block;
  for (int j = 0; j < 32; j++) q[j] = (uint8_t)b->qs[j] ^ 0x80;
  scale[0] = ck_f16_to_f32(b->d);
}

CK_DECODER(iq4_nl) {
  const ck_block_iq4_nl *b = block;
  nibbles(b->qs, q);
  look_up(ck_iq4_levels, 32, q);
  scale[0] = ck_f16_to_f32(b->d);
}

float ck_mxfp4_scale(uint8_t exponent) {
  uint32_t bits = exponent < 2 ? 0x00200000u << exponent : (uint32_t)(exponent - 1) << 23;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

CK_DECODER(mxfp4) {
  const ck_block_mxfp4 *b = block;
  nibbles(b->qs, q);
  look_up(ck_mxfp4_levels, 32, q);
  scale[0] = ck_mxfp4_scale(b->e);
}

CK_DECODER(iq4_xs) {
  const ck_block_iq4_xs *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 8; i++) {
    int low = b->scales_l[i / 2] >> 4 * (i % 2) & 15, high = b->scales_h >> 2 * i & 3;
    scale[i] = d * (float)((low | high << 4) - 32);
    nibbles(b->qs + 16 * i, q + 32 * i);
  }
  look_up(ck_iq4_levels, 256, q);
}
