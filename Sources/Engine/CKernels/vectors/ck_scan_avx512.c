// The scan with AVX-512 VNNI.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_scan.h"
#pragma clang attribute push( \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2"))), apply_to = function)

#define CK_SCAN_NAME(name) ck_avx512_##name
#define SCAN_STEP 64
typedef __m512i scan_sum;

// VPDPBUSD multiplies unsigned by signed bytes, so rows are read as value + 128; the surplus is subtracted at the end.
static inline __m512i scan_dot(__m512i sum, const int8_t *row, const int8_t *query) {
  __m512i values = _mm512_xor_si512(_mm512_loadu_si512(row), _mm512_set1_epi8(-128));
  return _mm512_dpbusd_epi32(sum, values, _mm512_loadu_si512(query));
}

static inline __m256i halved(__m512i sum) {
  return _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
}

static inline void scan_totals(__m512i s0, __m512i s1, __m512i s2, __m512i s3, int32_t *totals) {
  __m256i low = _mm256_hadd_epi32(halved(s0), halved(s1)), high = _mm256_hadd_epi32(halved(s2), halved(s3));
  __m256i all = _mm256_hadd_epi32(low, high);
  __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
  _mm_storeu_si128((__m128i *)totals, sums);
}

static inline int32_t scan_total(__m512i sum) { return _mm512_reduce_add_epi32(sum); }

static int32_t scan_surplus(const int8_t *query, int64_t width) {
  __m512i sum = _mm512_setzero_si512();
  for (int64_t j = 0; j < width; j += 64)
    sum = _mm512_dpbusd_epi32(sum, _mm512_set1_epi8(-128), _mm512_loadu_si512(query + j));
  return _mm512_reduce_add_epi32(sum);
}

#include "ck_scan_body.h"
#pragma clang attribute pop
#endif
