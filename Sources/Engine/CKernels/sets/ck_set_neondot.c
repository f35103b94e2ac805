// NEON with the dot products of Armv8.2: products of 8-bit integers. All other functions are those of ck_set_neon.c.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_types.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)
#define CK_NAME(name) ck_neondot_##name
#define CK_BASE(name) ck_neon_##name
#define CK_UNROLL _Pragma("unroll")
#define CK_HAS_DOTS
#define CK_SMALL_BATCH_TOKENS 2
#define CK_DOT_TILE 1
#define CK_TILE_TOKENS 3
#define CK_PEAK_INPUTS 1
#define CK_PEAK_SUMS 6
#define CK_TILE_GROUPS 1
#define CK_OWN_WIDEN
#include "ck_lanes.h"
#include "ck_neon_lanes.h"

#define CK_OWN_PEAK_DOT
enum { ck_neondot_peak_products = 64 };
CK_INLINE ck_i16 ck_neondot_peak_dot(ck_i16 sum, ck_u16 w, int32_t x) {
  return ck_neondot_dot4(sum, w, (ck_neondot_x4){vreinterpretq_s8_s32(vdupq_n_s32(x)), 0});
}

#include "ck_pack_body.h"
#include "ck_unpack_body.h"

#include "ck_multiply_body.h"
#include "ck_peak_body.h"
#pragma clang attribute pop
#endif
