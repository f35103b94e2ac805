// Quantization to K-quants: 256 values in sub-blocks with integer scales.
#include <math.h>

#include "ck_blocks.h"
#include "ck_fit.h"
#include "ck_types.h"

/// Error weights: root mean square plus |x|, which favours large values without neglecting small ones.
static void weigh(const float *x, int count, float *weight) {
  float sum = 0;
  for (int i = 0; i < count; i++) sum += x[i] * x[i];
  float mean = sqrtf(sum / (float)count);
  for (int i = 0; i < count; i++) weight[i] = mean + fabsf(x[i]);
}

typedef struct {
  uint16_t d, m;
  uint8_t scale[16], min[16], q[256];
} affine_block;

/// Fits `groups` sub-blocks of d * scale * q - m * min, with q in 0...high and integer scales in 0...scale_high.
static void fit_affine_block(const float *x, int groups, int high, int scale_high, affine_block *out) {
  int size = 256 / groups;
  float scale[16], min[16], weight[32], scale_top = 0, min_top = 0;
  for (int g = 0; g < groups; g++) {
    weigh(x + g * size, size, weight);
    ck_fit_affine(x + g * size, weight, size, high, 1, &scale[g], &min[g]);
    min[g] = -min[g];
    scale_top = scale[g] > scale_top ? scale[g] : scale_top;
    min_top = min[g] > min_top ? min[g] : min_top;
  }
  out->d = ck_half_scale(scale_top / (float)scale_high);
  out->m = ck_half_scale(min_top / (float)scale_high);
  float d = ck_f16_to_f32(out->d), m = ck_f16_to_f32(out->m);
  for (int g = 0; g < groups; g++) {
    out->scale[g] = (uint8_t)ck_nearest(scale[g], d > 0 ? 1 / d : 0, 0, scale_high);
    out->min[g] = (uint8_t)ck_nearest(min[g], m > 0 ? 1 / m : 0, 0, scale_high);
    float step = d * (float)out->scale[g], offset = m * (float)out->min[g];
    for (int i = g * size; i < (g + 1) * size; i++) {
      out->q[i] = (uint8_t)ck_nearest(x[i] + offset, step > 0 ? 1 / step : 0, 0, high);
    }
  }
}

typedef struct {
  uint16_t d;
  int8_t scale[16];
  uint8_t q[256];
} symmetric_block;

/// Fits 16 sub-blocks of d * scale * (q - reach), with integer scales in -scale_reach ..< scale_reach.
static void fit_symmetric_block(const float *x, int reach, int scale_reach, symmetric_block *out) {
  float scale[16], weight[16], peak = 0;
  for (int g = 0; g < 16; g++) {
    for (int i = 0; i < 16; i++) weight[i] = x[16 * g + i] * x[16 * g + i];
    scale[g] = ck_fit_scale(x + 16 * g, weight, 16, reach);
    peak = fabsf(scale[g]) > fabsf(peak) ? scale[g] : peak;
  }
  out->d = ck_half_scale(-peak / (float)scale_reach);
  float d = ck_f16_to_f32(out->d);
  for (int g = 0; g < 16; g++) {
    out->scale[g] = (int8_t)ck_nearest(scale[g], d != 0 ? 1 / d : 0, -scale_reach, scale_reach - 1);
    float step = d * (float)out->scale[g];
    for (int i = 16 * g; i < 16 * g + 16; i++) {
      out->q[i] = (uint8_t)(ck_nearest(x[i], step != 0 ? 1 / step : 0, -reach, reach - 1) + reach);
    }
  }
}

static void put_k4_scales(const affine_block *b, uint8_t packed[12]) {
  for (int j = 0; j < 4; j++) {
    packed[j] = (uint8_t)(b->scale[j] | b->scale[j + 4] >> 4 << 6);
    packed[j + 4] = (uint8_t)(b->min[j] | b->min[j + 4] >> 4 << 6);
    packed[j + 8] = (uint8_t)((b->scale[j + 4] & 15) | (b->min[j + 4] & 15) << 4);
  }
}

static void put_q2(const float *x, ck_block_q2_k *out) {
  affine_block b;
  fit_affine_block(x, 16, 3, 15, &b);
  out->d = b.d;
  out->dmin = b.m;
  for (int i = 0; i < 16; i++) out->scales[i] = (uint8_t)(b.scale[i] | b.min[i] << 4);
  for (int i = 0; i < 256; i++) out->qs[i / 128 * 32 + i % 32] |= (uint8_t)(b.q[i] << 2 * (i / 32 % 4));
}

static void put_q3(const float *x, ck_block_q3_k *out) {
  symmetric_block b;
  fit_symmetric_block(x, 4, 32, &b);
  out->d = b.d;
  for (int i = 0; i < 16; i++) {
    int scale = b.scale[i] + 32;
    out->scales[i % 8] |= (uint8_t)((scale & 15) << 4 * (i / 8));
    out->scales[8 + i % 4] |= (uint8_t)(scale >> 4 << 2 * (i / 4));
  }
  for (int i = 0; i < 256; i++) {
    out->qs[i / 128 * 32 + i % 32] |= (uint8_t)((b.q[i] & 3) << 2 * (i / 32 % 4));
    out->hmask[i % 32] |= (uint8_t)(b.q[i] >> 2 << i / 32);
  }
}

static void put_q4(const float *x, ck_block_q4_k *out) {
  affine_block b;
  fit_affine_block(x, 8, 15, 63, &b);
  out->d = b.d;
  out->dmin = b.m;
  put_k4_scales(&b, out->scales);
  for (int i = 0; i < 256; i++) out->qs[i / 64 * 32 + i % 32] |= (uint8_t)(b.q[i] << 4 * (i / 32 % 2));
}

static void put_q5(const float *x, ck_block_q5_k *out) {
  affine_block b;
  fit_affine_block(x, 8, 31, 63, &b);
  out->d = b.d;
  out->dmin = b.m;
  put_k4_scales(&b, out->scales);
  for (int i = 0; i < 256; i++) {
    out->qs[i / 64 * 32 + i % 32] |= (uint8_t)((b.q[i] & 15) << 4 * (i / 32 % 2));
    out->qh[i % 32] |= (uint8_t)(b.q[i] >> 4 << i / 32);
  }
}

static void put_q6(const float *x, ck_block_q6_k *out) {
  symmetric_block b;
  fit_symmetric_block(x, 32, 128, &b);
  out->d = b.d;
  for (int i = 0; i < 16; i++) out->scales[i] = b.scale[i];
  for (int i = 0; i < 256; i++) {
    int half = i / 128, part = i / 32 % 4, l = i % 32;
    out->ql[64 * half + 32 * (part % 2) + l] |= (uint8_t)((b.q[i] & 15) << 4 * (part / 2));
    out->qh[32 * half + l] |= (uint8_t)(b.q[i] >> 4 << 2 * part);
  }
}

void ck_quantize_k_block(int type, const float *x, void *block) {
  switch (type) {
  case CK_Q2_K: put_q2(x, block); break;
  case CK_Q3_K: put_q3(x, block); break;
  case CK_Q4_K: put_q4(x, block); break;
  case CK_Q5_K: put_q5(x, block); break;
  case CK_Q6_K: put_q6(x, block); break;
  default: break;
  }
}
