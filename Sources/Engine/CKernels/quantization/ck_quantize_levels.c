// Quantization to types with 16 unevenly spaced levels.
#include <math.h>
#include <string.h>

#include "ck_blocks.h"
#include "ck_decode.h"
#include "ck_fit.h"
#include "ck_types.h"

/// Returns the index of the nearest level; IQ4 levels ascend, each stored plus 128.
static int nearest_level(float x) {
  int i = 0;
  while (i < 15 && x + 128 > ((float)ck_iq4_levels[i] + (float)ck_iq4_levels[i + 1]) / 2) i++;
  return i;
}

static float level(int i) { return (float)(ck_iq4_levels[i] - 128); }

static float fit_levels(const float *x) {
  float peak = 0, best = 0, best_gain = -1;
  for (int i = 0; i < 32; i++) peak = fabsf(x[i]) > fabsf(peak) ? x[i] : peak;
  if (peak == 0) return 0;
  for (int step = -7; step <= 7; step++) {
    float inverse = (level(0) + (float)step) / peak, xq = 0, qq = 0;
    for (int i = 0; i < 32; i++) {
      float q = level(nearest_level(x[i] * inverse)), weight = x[i] * x[i];
      xq += weight * x[i] * q;
      qq += weight * q * q;
    }
    if (qq > 0 && xq * xq > best_gain * qq) {
      best = xq / qq;
      best_gain = xq * xq / qq;
    }
  }
  return best;
}

static void put_levels(const float *x, float d, uint8_t *qs) {
  float inverse = d != 0 ? 1 / d : 0;
  for (int j = 0; j < 16; j++) {
    qs[j] = (uint8_t)(nearest_level(x[j] * inverse) | nearest_level(x[j + 16] * inverse) << 4);
  }
}

static void put_iq4_nl(const float *x, ck_block_iq4_nl *b) {
  b->d = ck_half_scale(fit_levels(x));
  put_levels(x, ck_f16_to_f32(b->d), b->qs);
}

static void put_iq4_xs(const float *x, ck_block_iq4_xs *b) {
  float scale[8], peak = 0;
  for (int g = 0; g < 8; g++) {
    scale[g] = fit_levels(x + 32 * g);
    peak = fabsf(scale[g]) > fabsf(peak) ? scale[g] : peak;
  }
  b->d = ck_half_scale(-peak / 32);
  float d = ck_f16_to_f32(b->d);
  for (int g = 0; g < 8; g++) {
    int s = ck_nearest(scale[g], d != 0 ? 1 / d : 0, -32, 31);
    b->scales_l[g / 2] |= (uint8_t)(((s + 32) & 15) << 4 * (g % 2));
    b->scales_h |= (uint16_t)((s + 32) >> 4 << 2 * g);
    put_levels(x + 32 * g, d * (float)s, b->qs + 16 * g);
  }
}

/// Quantizes to the nearest levels with one exponent. Returns the squared error.
static float put_mxfp4_exponent(const float *x, int exponent, ck_block_mxfp4 *b) {
  float d = ck_mxfp4_scale((uint8_t)exponent), error = 0;
  uint8_t q[32];
  for (int i = 0; i < 32; i++) {
    float least = INFINITY;
    for (uint8_t j = 0; j < 16; j++) {
      float difference = x[i] - d * (float)(ck_mxfp4_levels[j] - 128);
      if (difference * difference < least) {
        least = difference * difference;
        q[i] = j;
      }
    }
    error += least;
  }
  b->e = (uint8_t)exponent;
  for (int j = 0; j < 16; j++) b->qs[j] = (uint8_t)(q[j] | q[j + 16] << 4);
  return error;
}

static void put_mxfp4(const float *x, ck_block_mxfp4 *b) {
  float largest = 0;
  for (int i = 0; i < 32; i++) largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
  if (largest == 0) return;
  // The largest level is 6 = 1.5 * 2^2 (OCP Microscaling Formats 1.0, 6.3); the exponent above may fit better.
  int exponent = ilogbf(largest) - 2 + 127;
  exponent = exponent < 0 ? 0 : exponent > 253 ? 253 : exponent;
  ck_block_mxfp4 other = *b;
  if (put_mxfp4_exponent(x, exponent + 1, &other) < put_mxfp4_exponent(x, exponent, b)) *b = other;
}

void ck_quantize_levels_block(int type, const float *x, void *block) {
  switch (type) {
  case CK_IQ4_NL: put_iq4_nl(x, block); break;
  case CK_IQ4_XS: put_iq4_xs(x, block); break;
  case CK_MXFP4: put_mxfp4(x, block); break;
  default: break;
  }
}
