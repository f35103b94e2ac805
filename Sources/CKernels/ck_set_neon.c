// NEON with dot products (Armv8.2).
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_picture.h"
#include "ck_types.h"
#include "ck_vector.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#define CK_NAME(name) ck_neon_##name
#define CK_FEW_TOKENS 4
#define CK_TILE_TOKENS 4
#define CK_PEAK_INPUTS 1
#define CK_PEAK_SUMS 6
#define CK_TILE_GROUPS 1
#define CK_FLOAT_FEW 2
#define CK_FLOAT_ROWS 4
#define CK_FLOAT_TOKENS 5
#define CK_FLOAT_PARTS 4
#define CK_PRODUCT_TOKENS 4
#define CK_PRODUCT_GROUPS 1
#include "ck_lanes.h"

typedef int32_t ck_neon_i4 __attribute__((vector_size(16)));

// Bytes of `flip` turn weights kept plus 128 into signed ones.
CK_INLINE ck_i16 ck_neon_flipped_dot4(ck_i16 sum, ck_u16 w, int32_t x, uint8_t flip) {
  int8x16_t all = vreinterpretq_s8_s32(vdupq_n_s32(x));
#define PART(i)                                                                                                       \
  (ck_neon_i4) vdotq_s32(                                                                                             \
      (int32x4_t)__builtin_shufflevector(sum, sum, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3),                           \
      vreinterpretq_s8_u8(                                                                                            \
          veorq_u8((uint8x16_t)__builtin_shufflevector(w, w, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3), vdupq_n_u8(flip))), \
      all)
  ck_neon_i4 p0 = PART(0), p1 = PART(1), p2 = PART(2), p3 = PART(3);
#undef PART
  typedef int32_t i8 __attribute__((vector_size(32)));
  i8 low = __builtin_shufflevector(p0, p1, 0, 1, 2, 3, 4, 5, 6, 7);
  i8 high = __builtin_shufflevector(p2, p3, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

CK_INLINE ck_i16 ck_neon_dot4(ck_i16 sum, ck_u16 w, int32_t x) { return ck_neon_flipped_dot4(sum, w, x, 0); }
CK_INLINE ck_i16 ck_neon_wide_dot4(ck_i16 sum, ck_u16 w, int32_t x) { return ck_neon_flipped_dot4(sum, w, x, 128); }

CK_INLINE ck_i16 ck_neon_wide_start(int32_t minus_sum) {
  (void)minus_sum;
  return (ck_i16){0};
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

CK_INLINE ck_i16 ck_neon_pair_dot(ck_i16 sum, ck_i16 w, int32_t x) {
  int16x8_t all = vreinterpretq_s16_s32(vdupq_n_s32(x));
  for (int i = 0; i < 4; i++) {
    int16x8_t pairs;
    memcpy(&pairs, (const char *)&w + 16 * i, 16);
    int32x4_t products =
        vpaddq_s32(vmull_s16(vget_low_s16(pairs), vget_low_s16(all)), vmull_high_s16(pairs, all));
    int32x4_t part;
    memcpy(&part, (const char *)&sum + 16 * i, 16);
    part = vaddq_s32(part, products);
    memcpy((char *)&sum + 16 * i, &part, 16);
  }
  return sum;
}

#include "ck_pack_body.h"
#include "ck_unpack_body.h"

#include "ck_multiply_body.h"
#include "ck_fine_body.h"

#include "ck_bf16_body.h"
#include "ck_float_body.h"
#include "ck_vector_body.h"

#include "ck_attention_body.h"
#include "ck_peak_body.h"
#include "ck_picture_body.h"
#pragma clang attribute pop
#endif
