// NEON with dot products (Armv8.2).
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_types.h"
#include "ck_vector.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#define CK_NAME(name) ck_neon_##name
#define CK_TILE_TOKENS 3
#define CK_FLOAT_ROWS 2
#include "ck_lanes.h"

typedef uint32_t ck_neon_u4 __attribute__((vector_size(16)));

// Weights are unsigned and activations signed; the dot product wants both signed, so 128 is taken off the weights and
// added back through the activations' sum.
CK_INLINE ck_i16 ck_neon_dot4(ck_i16 sum, ck_u16 w, int32_t x) {
  int32_t parts[16];
  memcpy(parts, &sum, 64);
  int8x16_t all = vreinterpretq_s8_s32(vdupq_n_s32(x));
  int32x4_t correction = vdotq_s32(vdupq_n_s32(0), all, vdupq_n_s8(64));
  for (int i = 0; i < 4; i++) {
    uint8x16_t bytes;
    memcpy(&bytes, (const char *)&w + 16 * i, 16);
    int32x4_t part = vaddq_s32(vld1q_s32(parts + 4 * i), vaddq_s32(correction, correction));
    part = vdotq_s32(part, vreinterpretq_s8_u8(veorq_u8(bytes, vdupq_n_u8(128))), all);
    vst1q_s32(parts + 4 * i, part);
  }
  memcpy(&sum, parts, 64);
  return sum;
}

CK_INLINE ck_u16 ck_neon_look_up(const uint8_t *levels, ck_u16 w) {
  uint8x16_t table = vld1q_u8(levels);
  for (int i = 0; i < 4; i++) {
    uint8x16_t bytes;
    memcpy(&bytes, (const char *)&w + 16 * i, 16);
    bytes = vqtbl1q_u8(table, bytes);
    memcpy((char *)&w + 16 * i, &bytes, 16);
  }
  return w;
}

#include "ck_unpack_body.h"

#include "ck_multiply_body.h"

#include "ck_float_body.h"
#include "ck_vector_body.h"

#include "ck_attention_body.h"
#pragma clang attribute pop
#endif
