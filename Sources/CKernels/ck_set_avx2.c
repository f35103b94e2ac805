// AVX2 with FMA: Haswell, Zen and later.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_types.h"
#include "ck_vector.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define CK_NAME(name) ck_avx2_##name
#define CK_TILE_TOKENS 3
#define CK_FLOAT_ROWS 2
#define CK_OWN_WIDEN
#include "ck_lanes.h"

typedef float ck_avx2_v8 __attribute__((vector_size(32)));
typedef uint32_t ck_avx2_u8 __attribute__((vector_size(32)));

CK_INLINE ck_v16 ck_avx2_widen(const uint16_t *p) {
  ck_avx2_v8 low = (ck_avx2_v8)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
  ck_avx2_v8 high = (ck_avx2_v8)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(p + 8)));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

#define LOW_HALF(v) (__m256i) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(v) (__m256i) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)

CK_INLINE ck_u16 ck_avx2_join(__m256i low, __m256i high) {
  return __builtin_shufflevector((ck_avx2_u8)low, (ck_avx2_u8)high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

// Bytes over 127 would saturate the 16-bit pair sums, so even and odd bytes are multiplied apart, in 16 bits.
CK_INLINE __m256i ck_avx2_dot4_half(__m256i w, __m256i x) {
  __m256i bytes = _mm256_set1_epi16(255);
  __m256i even = _mm256_madd_epi16(_mm256_and_si256(w, bytes), _mm256_srai_epi16(_mm256_slli_epi16(x, 8), 8));
  __m256i odd = _mm256_madd_epi16(_mm256_srli_epi16(w, 8), _mm256_srai_epi16(x, 8));
  return _mm256_add_epi32(even, odd);
}

CK_INLINE ck_i16 ck_avx2_dot4(ck_i16 sum, ck_u16 w, int32_t x) {
  __m256i all = _mm256_set1_epi32(x);
  return sum + (ck_i16)ck_avx2_join(ck_avx2_dot4_half(LOW_HALF(w), all), ck_avx2_dot4_half(HIGH_HALF(w), all));
}

CK_INLINE ck_u16 ck_avx2_look_up(const uint8_t *levels, ck_u16 w) {
  __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)levels));
  return ck_avx2_join(_mm256_shuffle_epi8(table, LOW_HALF(w)), _mm256_shuffle_epi8(table, HIGH_HALF(w)));
}

#include "ck_unpack_body.h"

#include "ck_multiply_body.h"

#include "ck_float_body.h"
#include "ck_vector_body.h"

#include "ck_attention_body.h"
#pragma clang attribute pop
#endif
