// Scale searches that the quantizers share.
#ifndef CK_FIT_H
#define CK_FIT_H
#include <stdint.h>

/// Finds the scale d that minimizes the weighted squared error of d * q, with integers q in -reach ..< reach; d may be
/// negative. x, weight: (count,).
float ck_fit_scale(const float *x, const float *weight, int count, int reach);
/// Finds d >= 0 and m that minimize the weighted squared error of d * q + m, with integers q in 0...high.
/// With `is_min_negative` m is at most 0.
void ck_fit_affine(const float *x, const float *weight, int count, int high, int is_min_negative, float *d, float *m);
/// Returns the nearest integer to x * inverse, clamped to low...high.
static inline int ck_nearest(float x, float inverse, int low, int high) {
  float scaled = x * inverse;
  if (!(scaled > (float)low)) return low;
  if (scaled >= (float)high) return high;
  return (int)(scaled + (scaled < 0 ? -0.5f : 0.5f));
}
/// Rounds a scale to the nearest finite F16.
uint16_t ck_half_scale(float d);

void ck_quantize_k_block(int type, const float *x, void *block);
void ck_quantize_levels_block(int type, const float *x, void *block);

#endif
