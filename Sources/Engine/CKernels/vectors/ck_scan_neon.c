// The scan with NEON.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_scan.h"

#define CK_SCAN_NAME(name) ck_neon_##name
#define SCAN_STEP 16
typedef int32x4_t scan_sum;

// Sums of two products, of up to 127 * 127 each, fit 16 bits.
static inline int32x4_t scan_dot(int32x4_t sum, const int8_t *row, const int8_t *query) {
  int8x16_t values = vld1q_s8(row), part = vld1q_s8(query);
  int16x8_t products = vmull_s8(vget_low_s8(values), vget_low_s8(part));
  return vpadalq_s16(sum, vmlal_high_s8(products, values, part));
}

static inline void scan_totals(int32x4_t s0, int32x4_t s1, int32x4_t s2, int32x4_t s3, int32_t *totals) {
  vst1q_s32(totals, vpaddq_s32(vpaddq_s32(s0, s1), vpaddq_s32(s2, s3)));
}

static inline int32_t scan_total(int32x4_t sum) { return vaddvq_s32(sum); }

static inline int32_t scan_surplus(const int8_t *query, int64_t width) { return 0; }

#include "ck_scan_body.h"
#endif
