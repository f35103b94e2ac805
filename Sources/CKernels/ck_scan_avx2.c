// The scan with AVX2.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_scan.h"
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

// The magnitudes of the row, with its signs moved to the query: pairs of products stay within 16 bits (2 * 128 * 127).
static inline __m256i dot32(__m256i sum, const int8_t *row, __m256i query) {
  __m256i values = _mm256_loadu_si256((const __m256i *)row);
  __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(values), _mm256_sign_epi8(query, values));
  return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline __m256i part_of(const int8_t *query) { return _mm256_loadu_si256((const __m256i *)query); }

void ck_avx2_scan(
    const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const int8_t *row = rows + i * width;
    __m256i s0 = _mm256_setzero_si256(), s1 = s0, s2 = s0, s3 = s0;
    for (int64_t j = 0; j < width; j += 32) {
      __m256i part = part_of(query + j);
      s0 = dot32(s0, row + j, part);
      s1 = dot32(s1, row + width + j, part);
      s2 = dot32(s2, row + 2 * width + j, part);
      s3 = dot32(s3, row + 3 * width + j, part);
    }
    __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
    __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    _mm_storeu_ps(scores + i, _mm_mul_ps(_mm_loadu_ps(scales + i), _mm_cvtepi32_ps(sums)));
  }
  for (; i < count; i++) {
    __m256i sum = _mm256_setzero_si256();
    for (int64_t j = 0; j < width; j += 32) sum = dot32(sum, rows + i * width + j, part_of(query + j));
    __m128i half = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    half = _mm_hadd_epi32(half, half);
    scores[i] = scales[i] * (float)_mm_cvtsi128_si32(_mm_hadd_epi32(half, half));
  }
}

int64_t ck_avx2_scan_above(const float *scores, int64_t count, float floor, int32_t *places) {
  int64_t found = 0, i = 0;
  for (; i + 8 <= count; i += 8) {
    __m256 is_above = _mm256_cmp_ps(_mm256_loadu_ps(scores + i), _mm256_set1_ps(floor), _CMP_GT_OQ);
    uint32_t above = (uint32_t)_mm256_movemask_ps(is_above);
    for (; above; above &= above - 1) places[found++] = (int32_t)i + __builtin_ctz(above);
  }
  for (; i < count; i++)
    if (scores[i] > floor) places[found++] = (int32_t)i;
  return found;
}
#pragma clang attribute pop
#endif
