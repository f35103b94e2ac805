// AVX-512 with VNNI: Cascade Lake, Zen 4 and later.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_picture.h"
#include "ck_types.h"
#include "ck_vector.h"
#pragma clang attribute push( \
    __attribute__((target("avx2,fma,f16c,avx512f,avx512dq,avx512bw,avx512vl,avx512vnni"))), apply_to = function)
#define CK_NAME(name) ck_avx512_##name
#define CK_SMALL_BATCH_LIMIT 16
#define CK_SMALL_BATCH_OF(type) CK_SMALL_BATCH_LIMIT
#define CK_IN_ORDER(sum) __asm__ volatile("" : "+v"(sum) : : "memory")
#define CK_UNROLL _Pragma("unroll")
#define CK_DOT_TILE 1
#define CK_TILE_TOKENS 6
#define CK_LONG_TILE 12
#define CK_NIBBLE_SHIFT 0
#define CK_PEAK_INPUTS 1
#define CK_PEAK_SUMS 12
#define CK_TILE_GROUPS 2
#define CK_FLOAT_BATCH_ROWS 4
#define CK_FLOAT_BATCH_TOKENS 6
#define CK_FLOAT_ROWS 4
#define CK_FLOAT_TOKENS 6
#define CK_FLOAT_PARTS 1
#define CK_PANEL_ROWS 64
#define CK_PANEL_LINES 32
#define CK_HAS_MASKS
#define CK_ATTENTION_SUMS 24
#define CK_ATTENTION_ROWS 6
// Zen converts F16 on other ports than it multiplies; Intel's processors use the same ports.
#define CK_READS_HALVES !ck_has_long_tiles()
#define CK_PRODUCT_TOKENS 8
#define CK_PRODUCT_GROUPS 3
#define CK_OWN_WIDEN
#define CK_WIDENS_LATE
#define CK_FLOAT_PREFETCHES
#include "ck_lanes.h"

CK_INLINE ck_v16 ck_avx512_widen(const uint16_t *p) {
  return (ck_v16)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)p));
}

CK_INLINE ck_v16 ck_avx512_widen_part(const uint16_t *p) { return ck_avx512_widen(p); }

CK_INLINE void ck_avx512_narrow(ck_v16 v, uint16_t *out) {
  _mm256_storeu_si256((__m256i *)out, _mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT));
}

CK_INLINE ck_i16 ck_avx512_dot4(ck_i16 sum, ck_u16 w, int32_t x) {
  return (ck_i16)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)w, _mm512_set1_epi32(x));
}

CK_INLINE ck_i16 ck_avx512_wide_dot4(ck_i16 sum, ck_u16 w, int32_t x) { return ck_avx512_dot4(sum, w, x); }
#define CK_WIDE_ZERO 128

CK_INLINE ck_u16 ck_avx512_look_up(const uint8_t *levels, ck_u16 w) {
  __m512i table = _mm512_broadcast_i32x4(_mm_loadu_si128((const __m128i *)levels));
  return (ck_u16)_mm512_shuffle_epi8(table, (__m512i)w);
}

CK_INLINE ck_i16 ck_avx512_pair_dot(ck_i16 sum, ck_i16 w, int32_t x) {
  return (ck_i16)_mm512_dpwssd_epi32((__m512i)sum, (__m512i)w, _mm512_set1_epi32(x));
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
#pragma clang attribute pop
#endif
