// The scan with the dot products of Armv8.2.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_scan.h"
#pragma clang attribute push(__attribute__((target("dotprod"))), apply_to = function)

#define CK_SCAN_NAME(name) ck_neondot_##name
#define SCAN_STEP 16
typedef int32x4_t scan_sum;

static inline int32x4_t scan_dot(int32x4_t sum, const int8_t *row, const int8_t *query) {
  return vdotq_s32(sum, vld1q_s8(row), vld1q_s8(query));
}

static inline void scan_totals(int32x4_t s0, int32x4_t s1, int32x4_t s2, int32x4_t s3, int32_t *totals) {
  vst1q_s32(totals, vpaddq_s32(vpaddq_s32(s0, s1), vpaddq_s32(s2, s3)));
}

static inline int32_t scan_total(int32x4_t sum) { return vaddvq_s32(sum); }

static inline int32_t scan_surplus(const int8_t *query, int64_t width) { return 0; }

#include "ck_scan_body.h"
#pragma clang attribute pop
#endif
