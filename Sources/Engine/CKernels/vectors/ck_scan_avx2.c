// The scan with AVX2.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_scan.h"
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)

#define CK_SCAN_NAME(name) ck_avx2_##name
#define SCAN_STEP 32
typedef __m256i scan_sum;

// Magnitudes of the row, with its signs moved to the query: sums of two products fit 16 bits (2 * 128 * 127).
static inline __m256i scan_dot(__m256i sum, const int8_t *row, const int8_t *query) {
  __m256i values = _mm256_loadu_si256((const __m256i *)row), part = _mm256_loadu_si256((const __m256i *)query);
  __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(values), _mm256_sign_epi8(part, values));
  return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

static inline void scan_totals(__m256i s0, __m256i s1, __m256i s2, __m256i s3, int32_t *totals) {
  __m256i all = _mm256_hadd_epi32(_mm256_hadd_epi32(s0, s1), _mm256_hadd_epi32(s2, s3));
  __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  _mm_storeu_si128((__m128i *)totals, sums);
}

static inline int32_t scan_total(__m256i sum) {
  int32_t totals[4];
  scan_totals(sum, sum, sum, sum, totals);
  return totals[0];
}

static inline int32_t scan_surplus(const int8_t *query, int64_t width) { return 0; }

#include "ck_scan_body.h"
#pragma clang attribute pop
#endif
