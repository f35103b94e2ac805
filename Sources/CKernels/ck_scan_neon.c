// The scan with the dot products of Armv8.2.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_scan.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

static inline int32x4_t dot16(int32x4_t sum, const int8_t *row, int8x16_t query) {
  return vdotq_s32(sum, vld1q_s8(row), query);
}

void ck_neon_scan(
    const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores) {
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const int8_t *row = rows + i * width;
    int32x4_t s0 = vdupq_n_s32(0), s1 = s0, s2 = s0, s3 = s0;
    for (int64_t j = 0; j < width; j += 16) {
      int8x16_t part = vld1q_s8(query + j);
      s0 = dot16(s0, row + j, part);
      s1 = dot16(s1, row + width + j, part);
      s2 = dot16(s2, row + 2 * width + j, part);
      s3 = dot16(s3, row + 3 * width + j, part);
    }
    int32x4_t sums = vpaddq_s32(vpaddq_s32(s0, s1), vpaddq_s32(s2, s3));
    vst1q_f32(scores + i, vmulq_f32(vld1q_f32(scales + i), vcvtq_f32_s32(sums)));
  }
  for (; i < count; i++) {
    int32x4_t sum = vdupq_n_s32(0);
    for (int64_t j = 0; j < width; j += 16) sum = dot16(sum, rows + i * width + j, vld1q_s8(query + j));
    scores[i] = scales[i] * (float)vaddvq_s32(sum);
  }
}

int64_t ck_neon_scan_above(const float *scores, int64_t count, float floor, int32_t *places) {
  int64_t found = 0, i = 0;
  for (; i + 4 <= count; i += 4) {
    if (vmaxvq_u32(vcgtq_f32(vld1q_f32(scores + i), vdupq_n_f32(floor))) == 0) continue;
    for (int64_t j = i; j < i + 4; j++)
      if (scores[j] > floor) places[found++] = (int32_t)j;
  }
  for (; i < count; i++)
    if (scores[i] > floor) places[found++] = (int32_t)i;
  return found;
}
#pragma clang attribute pop
#endif
