#include "ck_fit.h"

#include <math.h>

#include "ck_types.h"

uint16_t ck_half_scale(float d) {
  if (d > 65504.0f) d = 65504.0f;
  if (d < -65504.0f) d = -65504.0f;
  return ck_f32_to_f16(d);
}

float ck_fit_scale(const float *x, const float *weight, int count, int reach) {
  // Tries scales that map the value of largest magnitude to about -reach, the longer side.
  float peak = 0;
  for (int i = 0; i < count; i++) peak = fabsf(x[i]) > fabsf(peak) ? x[i] : peak;
  if (peak == 0) return 0;
  float best = 0, best_gain = -1;
  for (int step = -9; step <= 9; step++) {
    float inverse = -((float)reach + 0.1f * (float)step) / peak, xq = 0, qq = 0;
    for (int i = 0; i < count; i++) {
      float q = (float)ck_nearest(x[i], inverse, -reach, reach - 1);
      xq += weight[i] * x[i] * q;
      qq += weight[i] * q * q;
    }
    // With the best d = xq / qq the error falls by xq^2 / qq.
    if (qq > 0 && xq * xq > best_gain * qq) {
      best = xq / qq;
      best_gain = xq * xq / qq;
    }
  }
  return best;
}

void ck_fit_affine(const float *x, const float *weight, int count, int high, int is_min_negative, float *d, float *m) {
  float low = x[0], top = x[0], w_sum = 0, x_sum = 0, best_error = INFINITY;
  for (int i = 0; i < count; i++) {
    low = x[i] < low ? x[i] : low;
    top = x[i] > top ? x[i] : top;
    w_sum += weight[i];
    x_sum += weight[i] * x[i];
  }
  if (is_min_negative && low > 0) low = 0;
  *d = 0;
  *m = low;
  if (top <= low) return;
  for (int step = -10; step <= 10; step++) {
    float inverse = ((float)high + 0.1f * (float)step) / (top - low), q_sum = 0, qq = 0, xq = 0;
    int8_t q[32];
    for (int i = 0; i < count; i++) {
      q[i] = (int8_t)ck_nearest(x[i] - low, inverse, 0, high);
      q_sum += weight[i] * (float)q[i];
      qq += weight[i] * (float)q[i] * (float)q[i];
      xq += weight[i] * x[i] * (float)q[i];
    }
    // Least squares in d and m.
    float determinant = w_sum * qq - q_sum * q_sum;
    if (!(determinant > 0)) continue;
    float slope = (w_sum * xq - x_sum * q_sum) / determinant, offset = (qq * x_sum - q_sum * xq) / determinant;
    if (is_min_negative && offset > 0) {
      offset = 0;
      slope = xq / qq;
    }
    float error = 0;
    for (int i = 0; i < count; i++) {
      float difference = slope * (float)q[i] + offset - x[i];
      error += weight[i] * difference * difference;
    }
    if (slope > 0 && error < best_error) {
      best_error = error;
      *d = slope;
      *m = offset;
    }
  }
  if (best_error == INFINITY) *d = (top - low) / (float)high;
}
