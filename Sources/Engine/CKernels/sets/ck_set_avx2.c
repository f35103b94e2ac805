// AVX2 with FMA: Haswell, Zen and later.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_picture.h"
#include "ck_types.h"
#include "ck_vector.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define CK_NAME(name) ck_avx2_##name
#define CK_TILE_TOKENS 6
#define CK_WIDE_TOKENS 4
#define CK_PEAK_INPUTS CK_PEAK_SUMS
#define CK_PEAK_SUMS 5
#define CK_TILE_GROUPS 1
#define CK_FLOAT_BATCH_ROWS 2
#define CK_FLOAT_ROWS 2
#define CK_FLOAT_TOKENS 6
#define CK_FLOAT_PARTS 2
#define CK_PANEL_ROWS 64
#define CK_PANEL_LINES 64
#define CK_PANEL_TOKENS 192
#define CK_ATTENTION_SUMS 5
#define CK_ATTENTION_ROWS 6
// Zen converts F16 on other ports than it multiplies; Intel's processors use the same ports.
#define CK_READS_HALVES !ck_has_long_tiles()
#define CK_PRODUCT_TOKENS 4
#define CK_PRODUCT_GROUPS 1
#define CK_OWN_WIDEN
#define CK_WIDENS_LATE
#define CK_FLOAT_PREFETCHES
#include "ck_lanes.h"
#include "ck_avx2_lanes.h"

CK_INLINE ck_avx2_v8 ck_avx2_widen_part(const uint16_t *p) {
  return (ck_avx2_v8)_mm256_cvtph_ps(_mm_load_si128((const __m128i *)p));
}

// Sums of two products fit 16 bits: 2 * 127 * 127 here, 2 * 128 * 127 below.
CK_INLINE __m256i ck_avx2_dot4_half(__m256i sum, __m256i w, __m256i x) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(w, x), _mm256_set1_epi16(1)));
}

CK_INLINE ck_i16 ck_avx2_dot4(ck_i16 sum, ck_u16 w, int32_t x) {
  __m256i all = _mm256_set1_epi32(x);
  return (ck_i16)ck_avx2_join(
      ck_avx2_dot4_half(LOW_HALF(sum), LOW_HALF(w), all), ck_avx2_dot4_half(HIGH_HALF(sum), HIGH_HALF(w), all));
}

// Signed weights: magnitudes, with the signs moved to the activations.
CK_INLINE __m256i ck_avx2_wide_half(__m256i sum, __m256i w, __m256i x) {
  w = _mm256_xor_si256(w, _mm256_set1_epi8(-128));
  return ck_avx2_dot4_half(sum, _mm256_abs_epi8(w), _mm256_sign_epi8(x, w));
}

CK_INLINE ck_i16 ck_avx2_wide_dot4(ck_i16 sum, ck_u16 w, int32_t x) {
  __m256i all = _mm256_set1_epi32(x);
  return (ck_i16)ck_avx2_join(
      ck_avx2_wide_half(LOW_HALF(sum), LOW_HALF(w), all), ck_avx2_wide_half(HIGH_HALF(sum), HIGH_HALF(w), all));
}

#define CK_WIDE_ZERO 0

CK_INLINE ck_i16 ck_avx2_pair_dot(ck_i16 sum, ck_i16 w, int32_t x) {
  __m256i all = _mm256_set1_epi32(x);
  return (ck_i16)ck_avx2_join(
      _mm256_add_epi32(LOW_HALF(sum), _mm256_madd_epi16(LOW_HALF(w), all)),
      _mm256_add_epi32(HIGH_HALF(sum), _mm256_madd_epi16(HIGH_HALF(w), all)));
}

#define CK_OWN_PEAK_DOT
enum { ck_avx2_peak_products = 64 };
/// Dot product at its peak rate, with sums kept in 16 bits.
CK_INLINE ck_i16 ck_avx2_peak_dot(ck_i16 sum, ck_u16 w, int32_t x) {
  __m256i all = _mm256_set1_epi32(x);
  return (ck_i16)ck_avx2_join(
      _mm256_add_epi16(LOW_HALF(sum), _mm256_maddubs_epi16(LOW_HALF(w), all)),
      _mm256_add_epi16(HIGH_HALF(sum), _mm256_maddubs_epi16(HIGH_HALF(w), all)));
}

#include "ck_pack_body.h"
#include "ck_unpack_body.h"

#include "ck_tile_avx2.h"
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
