// Decoders of types with code books; every value is stored plus 128.
#include <string.h>

#include "ck_blocks.h"
#include "ck_decode.h"
#include "ck_grid_table.h"
#include "ck_types.h"

#pragma STDC FP_CONTRACT OFF

// Expands seven sign bits to eight: the eighth makes the number of negative signs even.
static uint8_t even_signs(uint32_t seven) {
  uint8_t bits = seven & 127;
  return (uint8_t)(bits | (__builtin_popcount(bits) & 1) << 7);
}

// Decodes eight values of 2 bits each.
static void put8(uint16_t code, const int8_t *levels, uint8_t signs, uint8_t *q) {
  for (int j = 0; j < 8; j++) {
    int value = levels[code >> 2 * j & 3];
    q[j] = (uint8_t)(128 + (signs >> j & 1 ? -value : value));
  }
}

// Decodes four values of 4 bits each.
static void put4(uint16_t code, const int8_t *levels, uint8_t signs, uint8_t *q) {
  for (int j = 0; j < 4; j++) {
    int value = levels[code >> 4 * j & 15];
    q[j] = (uint8_t)(128 + (signs >> j & 1 ? -value : value));
  }
}

CK_DECODER(iq2_xxs) {
  const ck_block_iq2_xxs *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 8; i++) {
    uint32_t index, rest;
    memcpy(&index, b->qs + 4 * i, 4);
    memcpy(&rest, b->qs + 4 * i + 2, 4);
    scale[i] = d * (0.5f + (float)(rest >> 28)) * 0.25f;
    for (int l = 0; l < 4; l++) {
      put8(ck_iq2_xxs_grid[index >> 8 * l & 255], ck_iq2_xxs_levels, even_signs(rest >> 7 * l), q + 32 * i + 8 * l);
    }
  }
}

CK_DECODER(iq2_xs) {
  const ck_block_iq2_xs *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 16; i++) scale[i] = d * (0.5f + (float)(b->scales[i / 2] >> 4 * (i % 2) & 15)) * 0.25f;
  for (int i = 0; i < 32; i++) {
    put8(ck_iq2_xs_grid[b->qs[i] & 511], ck_iq2_xs_levels, even_signs(b->qs[i] >> 9), q + 8 * i);
  }
}

CK_DECODER(iq2_s) {
  const ck_block_iq2_s *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 16; i++) scale[i] = d * (0.5f + (float)(b->scales[i / 2] >> 4 * (i % 2) & 15)) * 0.25f;
  for (int i = 0; i < 32; i++) {
    int index = b->qs[i] | (b->qh[i / 4] >> 2 * (i % 4) & 3) << 8;
    put8(ck_iq2_s_grid[index], ck_iq2_s_levels, b->signs[i], q + 8 * i);
  }
}

CK_DECODER(iq3_xxs) {
  const ck_block_iq3_xxs *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 8; i++) {
    uint32_t rest;
    memcpy(&rest, b->gas + 4 * i, 4);
    scale[i] = d * (0.5f + (float)(rest >> 28)) * 0.5f;
    for (int l = 0; l < 8; l++) {
      uint8_t signs = even_signs(rest >> 7 * (l / 2)) >> 4 * (l % 2);
      put4(ck_iq3_xxs_grid[b->qs[8 * i + l]], ck_iq3_xxs_levels, signs, q + 32 * i + 4 * l);
    }
  }
}

CK_DECODER(iq3_s) {
  const ck_block_iq3_s *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 8; i++) {
    scale[i] = d * (float)(1 + 2 * (b->scales[i / 2] >> 4 * (i % 2) & 15));
    for (int l = 0; l < 8; l++) {
      int index = b->qs[8 * i + l] | (b->qh[i] >> l & 1) << 8;
      uint8_t signs = b->signs[4 * i + l / 2] >> 4 * (l % 2);
      put4(ck_iq3_s_grid[index], ck_iq3_s_levels, signs, q + 32 * i + 4 * l);
    }
  }
}

// Decodes IQ1 values, a ternary digit plus or minus an eighth, stored in eighths.
static void put_ternary(uint16_t code, int shift, uint8_t *q) {
  for (int j = 0; j < 8; j++) q[j] = (uint8_t)(128 + 8 * ck_iq1_levels[code >> 2 * j & 3] + shift);
}

CK_DECODER(iq1_s) {
  const ck_block_iq1_s *b = block;
  float d = ck_f16_to_f32(b->d);
  for (int i = 0; i < 8; i++) {
    scale[i] = d * (float)(2 * (b->qh[i] >> 12 & 7) + 1) * 0.125f;
    for (int l = 0; l < 4; l++) {
      int index = b->qs[4 * i + l] | (b->qh[i] >> 3 * l & 7) << 8;
      put_ternary(ck_iq1_grid[index], b->qh[i] & 0x8000 ? -1 : 1, q + 32 * i + 8 * l);
    }
  }
}

CK_DECODER(iq1_m) {
  const ck_block_iq1_m *b = block;
  uint16_t part[4];
  memcpy(part, b->scales, 8);
  // The scale of the block is in the top four bits of the four words.
  float d = ck_f16_to_f32(
      (uint16_t)(part[0] >> 12 | (part[1] >> 8 & 0xf0) | (part[2] >> 4 & 0xf00) | (part[3] & 0xf000)));
  for (int i = 0; i < 16; i++) scale[i] = d * (float)(2 * (part[i / 4] >> 3 * (i % 4) & 7) + 1) * 0.125f;
  for (int i = 0; i < 32; i++) {
    int high = b->qh[i / 2] >> 4 * (i % 2);
    put_ternary(ck_iq1_grid[b->qs[i] | (high & 7) << 8], high & 8 ? -1 : 1, q + 8 * i);
  }
}
