// The scan with AVX-512 VNNI.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_scan.h"
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512vnni,avx2"))), apply_to = function)

// The instruction multiplies unsigned by signed bytes, so rows are read as value + 128; `start` takes the surplus away.
static inline __m512i dot64(__m512i sum, const int8_t *row, __m512i query) {
  __m512i values = _mm512_xor_si512(_mm512_loadu_si512(row), _mm512_set1_epi8(-128));
  return _mm512_dpbusd_epi32(sum, values, query);
}

static inline __m256i halved(__m512i sum) {
  return _mm256_add_epi32(_mm512_castsi512_si256(sum), _mm512_extracti64x4_epi64(sum, 1));
}

static int32_t surplus(const int8_t *query, int64_t width) {
  __m512i sum = _mm512_setzero_si512();
  for (int64_t j = 0; j < width; j += 64)
    sum = _mm512_dpbusd_epi32(sum, _mm512_set1_epi8(-128), _mm512_loadu_si512(query + j));
  return _mm512_reduce_add_epi32(sum);
}

void ck_avx512_scan(
    const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores) {
  const int32_t extra = surplus(query, width);
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const int8_t *row = rows + i * width;
    __m512i s0 = _mm512_setzero_si512(), s1 = s0, s2 = s0, s3 = s0;
    for (int64_t j = 0; j < width; j += 64) {
      __m512i part = _mm512_loadu_si512(query + j);
      s0 = dot64(s0, row + j, part);
      s1 = dot64(s1, row + width + j, part);
      s2 = dot64(s2, row + 2 * width + j, part);
      s3 = dot64(s3, row + 3 * width + j, part);
    }
    __m256i low = _mm256_hadd_epi32(halved(s0), halved(s1)), high = _mm256_hadd_epi32(halved(s2), halved(s3));
    __m256i all = _mm256_hadd_epi32(low, high);
    __m128i sums = _mm_add_epi32(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
    sums = _mm_sub_epi32(sums, _mm_set1_epi32(extra));
    _mm_storeu_ps(scores + i, _mm_mul_ps(_mm_loadu_ps(scales + i), _mm_cvtepi32_ps(sums)));
  }
  for (; i < count; i++) {
    __m512i sum = _mm512_setzero_si512();
    for (int64_t j = 0; j < width; j += 64) sum = dot64(sum, rows + i * width + j, _mm512_loadu_si512(query + j));
    scores[i] = scales[i] * (float)(_mm512_reduce_add_epi32(sum) - extra);
  }
}

int64_t ck_avx512_scan_above(const float *scores, int64_t count, float floor, int32_t *places) {
  int64_t found = 0;
  for (int64_t i = 0; i < count; i += 16) {
    __mmask16 in = count - i >= 16 ? (__mmask16)0xffff : (__mmask16)((1u << (count - i)) - 1);
    __m512 part = _mm512_maskz_loadu_ps(in, scores + i);
    uint32_t above = _mm512_mask_cmp_ps_mask(in, part, _mm512_set1_ps(floor), _CMP_GT_OQ);
    for (; above; above &= above - 1) places[found++] = (int32_t)i + __builtin_ctz(above);
  }
  return found;
}
#pragma clang attribute pop
#endif
