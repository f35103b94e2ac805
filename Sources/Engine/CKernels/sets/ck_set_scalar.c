// Scalar set: plain C for any machine, the definition of every result.
#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_picture.h"
#include "ck_types.h"
#include "ck_vector.h"
#define CK_NAME(name) ck_scalar_##name
#define CK_SMALL_BATCH_TOKENS 2
#define CK_TILE_TOKENS 3
#define CK_PEAK_INPUTS CK_PEAK_SUMS
#define CK_PEAK_SUMS 2
#define CK_TILE_GROUPS 1
#define CK_FLOAT_BATCH_ROWS 1
#define CK_FLOAT_ROWS 1
#define CK_FLOAT_TOKENS 3
#define CK_FLOAT_PARTS 1
#define CK_ATTENTION_SUMS 16
#define CK_ATTENTION_ROWS 4
#define CK_PRODUCT_TOKENS 2
#define CK_PRODUCT_GROUPS 1
#include "ck_lanes.h"

CK_INLINE ck_i16 ck_scalar_dot4(ck_i16 sum, ck_u16 w, int32_t x) {
  for (int i = 0; i < 4; i++) sum += (ck_i16)(w >> 8 * i & 255) * (int32_t)(int8_t)(x >> 8 * i);
  return sum;
}

CK_INLINE ck_i16 ck_scalar_wide_dot4(ck_i16 sum, ck_u16 w, int32_t x) { return ck_scalar_dot4(sum, w, x); }
#define CK_WIDE_ZERO 128

CK_INLINE ck_u16 ck_scalar_look_up(const uint8_t *levels, ck_u16 w) {
  uint8_t bytes[64];
  memcpy(bytes, &w, 64);
  for (int i = 0; i < 64; i++) bytes[i] = levels[bytes[i]];
  memcpy(&w, bytes, 64);
  return w;
}

CK_INLINE ck_i16 ck_scalar_pair_dot(ck_i16 sum, ck_i16 w, int32_t x) {
  return sum + (w << 16 >> 16) * (int32_t)(int16_t)x + (w >> 16) * (x >> 16);
}

#include "ck_pack_body.h"
#include "ck_unpack_body.h"

#include "ck_multiply_body.h"
#include "ck_int16_body.h"

#include "ck_bf16_body.h"
#include "ck_float_body.h"
#include "ck_vector_body.h"

#include "ck_attention_body.h"
#include "ck_peak_body.h"
#include "ck_picture_body.h"
