// Scale searches that the quantizers share.
#ifndef CK_FIT_H
#define CK_FIT_H
#include <stdint.h>

/// Finds the d for which d * q, with integers q in -`reach` ..< `reach`, has the least weighted error; d may be negative.
float ck_fit_scale(const float *x, const float *weight, int count, int reach);
/// Finds d >= 0 and m for which d * q + m, with integers q in 0...`high`, has the least weighted error.
/// With `is_min_negative` m is at most 0.
void ck_fit_affine(const float *x, const float *weight, int count, int high, int is_min_negative, float *d, float *m);
/// The nearest integer in `low...high` to x * inverse.
static inline int ck_nearest(float x, float inverse, int low, int high) {
  float scaled = x * inverse;
  if (!(scaled > (float)low)) return low;
  if (scaled >= (float)high) return high;
  return (int)(scaled + (scaled < 0 ? -0.5f : 0.5f));
}
/// A scale as the nearest finite half.
uint16_t ck_half_scale(float d);

void ck_quantize_k_block(int type, const float *x, void *block);
void ck_quantize_levels_block(int type, const float *x, void *block);

#endif
