// NEON with the dot products of Armv8.2 and the matrix products of Armv8.6 (i8mm), which serve products with many
// tokens. All functions but products of 8-bit integers are those of ck_set_neon.c.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_types.h"
#pragma clang attribute push(__attribute__((target("dotprod,i8mm"))), apply_to = function)
#define CK_NAME(name) ck_neoni8mm_##name
#define CK_BASE(name) ck_neon_##name
#define CK_UNROLL _Pragma("unroll")
#define CK_HAS_DOTS
#define CK_SMALL_BATCH_TOKENS 2
#define CK_TILE_TOKENS 6
#define CK_PEAK_INPUTS 1
#define CK_PEAK_SUMS 6
#define CK_TILE_GROUPS 1
#define CK_OWN_WIDEN
#include "ck_lanes.h"
#include "ck_neon_lanes.h"

#include "ck_pack_body.h"
#include "ck_unpack_body.h"

#include "ck_tile_i8mm.h"
#include "ck_multiply_body.h"
#include "ck_peak_body.h"
#pragma clang attribute pop
#endif
