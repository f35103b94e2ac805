// Scalar definition of the scan, and dispatch to instruction sets.
#include "ck_scan.h"

#include <math.h>
#include <string.h>

#include "ck_types.h"

static void scan_scalar(
    const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores) {
  for (int64_t i = 0; i < count; i++) {
    int32_t sum = 0;
    for (int64_t j = 0; j < width; j++) sum += (int32_t)rows[i * width + j] * (int32_t)query[j];
    scores[i] = scales[i] * (float)sum;
  }
}

static int64_t above_scalar(const float *scores, int64_t count, float floor, int32_t *places) {
  int64_t found = 0;
  for (int64_t i = 0; i < count; i++)
    if (scores[i] > floor) places[found++] = (int32_t)i;
  return found;
}

#if defined(__x86_64__)
#define SETS(X) X(CK_AVX512_BF16, avx512) X(CK_AVX512, avx512) X(CK_AVX_VNNI, avx2) X(CK_AVX2, avx2)
#elif defined(__aarch64__)
#define SETS(X) X(CK_NEON_I8MM, neondot) X(CK_NEON_DOT, neondot) X(CK_NEON, neon)
#else
#define SETS(X)
#endif

#define DECLARE(number, name)                                                                                \
  void ck_##name##_scan(const int8_t *, const float *, int64_t, int64_t, const int8_t *, float *);           \
  int64_t ck_##name##_scan_above(const float *, int64_t, float, int32_t *);
SETS(DECLARE)

void ck_scan(
    int set, const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query,
    float *scores) {
  switch (set) {
#define PASS_ON(number, name) \
  case number: ck_##name##_scan(rows, scales, width, count, query, scores); return;
    SETS(PASS_ON)
#undef PASS_ON
  default: scan_scalar(rows, scales, width, count, query, scores);
  }
}

int64_t ck_scan_above(int set, const float *scores, int64_t count, float floor, int32_t *places) {
  switch (set) {
#define PASS_ON(number, name) \
  case number: return ck_##name##_scan_above(scores, count, floor, places);
    SETS(PASS_ON)
#undef PASS_ON
  default: return above_scalar(scores, count, floor, places);
  }
}

float ck_scan_quantize(const float *x, int64_t count, int64_t width, int8_t *out) {
  float most = 0;
  for (int64_t i = 0; i < count; i++) {
    float size = fabsf(x[i]);
    // Negated, so that NaN does not pass.
    if (!(size <= 3.0e38f)) most = INFINITY;
    if (size > most) most = size;
  }
  memset(out, 0, (size_t)width);
  float factor = 127.0f / most;
  if (!(most < INFINITY) || !(factor < INFINITY)) return 0;
  for (int64_t i = 0; i < count; i++) {
    float value = nearbyintf(x[i] * factor);
    out[i] = (int8_t)(value > 127 ? 127 : value < -127 ? -127 : value);
  }
  return most / 127.0f;
}
