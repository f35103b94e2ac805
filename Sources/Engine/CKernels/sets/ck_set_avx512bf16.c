// AVX-512 with VNNI and BF16: Cooper Lake, Zen 4 and later. All functions but BF16 products are those of
// ck_set_avx512.c.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_bf16.h"
#include "ck_picture.h"
#include "ck_types.h"
#include "ck_vector.h"
#pragma clang attribute push(                                                                          \
    __attribute__((target("avx2,fma,f16c,avx512f,avx512dq,avx512bw,avx512vl,avx512vnni,avx512bf16"))), \
    apply_to = function)
#define CK_NAME(name) ck_avx512bf16_##name
#define CK_BASE(name) ck_avx512_##name
#define CK_HAS_MASKS
#define CK_FLOAT_BATCH_ROWS 4
#define CK_FLOAT_BATCH_TOKENS 6
#define CK_FLOAT_ROWS 4
#define CK_FLOAT_TOKENS 6
#define CK_FLOAT_PARTS 1
#define CK_PANEL_ROWS 64
#define CK_PANEL_LINES 32
#define CK_PRODUCT_TOKENS 8
#define CK_PRODUCT_GROUPS 3
#define CK_OWN_BF16
#include "ck_lanes.h"

CK_INLINE ck_v16 ck_avx512bf16_pair_product(ck_v16 sum, ck_u16 w, ck_u16 x) {
  return (ck_v16)_mm512_dpbf16_ps((__m512)sum, (__m512bh)w, (__m512bh)x);
}

/// Converts F32 to BF16; subnormal values become 0, as the BF16 products treat them.
CK_INLINE ck_h16 ck_avx512bf16_to_bf16(ck_v16 v) {
  return (ck_h16)_mm512_cvtneps_pbh((__m512)v);
}

#include "ck_bf16_body.h"
#include "ck_picture_body.h"
#pragma clang attribute pop
#endif
