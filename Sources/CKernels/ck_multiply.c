#include "ck_panel.h"

#include <math.h>
#include <string.h>

#pragma STDC FP_CONTRACT OFF

void ck_quantize_activations_scalar(const struct ck_activations *a, int64_t token) {
  int64_t blocks = a->columns / 32;
  for (int64_t b = 0; b < blocks; b++) {
    const float *x = a->x + token * a->columns + 32 * b;
    int8_t *q = a->q + token * a->columns + 32 * b;
    float largest = 0;
    for (int i = 0; i < 32; i++) {
      float magnitude = fabsf(x[i]);
      // Not fmaxf: a NaN must leave the same trace on every instruction set (it is passed over).
      if (magnitude > largest) largest = magnitude;
    }
    float d = largest / 127.0f, inverse = largest > 0 ? 127.0f / largest : 0;
    int32_t sum[2] = {0, 0};
    for (int i = 0; i < 32; i++) {
      float scaled = x[i] * inverse;
      if (!(scaled <= 127.0f)) scaled = 127.0f;
      if (!(scaled >= -127.0f)) scaled = -127.0f;
      q[i] = (int8_t)rintf(scaled);
      sum[i / 16] += q[i];
    }
    int64_t at = token * blocks + b;
    a->d[at] = d;
    for (int i = 0; i < 2; i++) {
      a->sum16[2 * at + i] = sum[i];
      a->dsum16[2 * at + i] = d * (float)sum[i];
    }
    a->sum32[at] = sum[0] + sum[1];
    a->dsum32[at] = d * (float)(sum[0] + sum[1]);
  }
}

void ck_unpack_panel_scalar(
    const struct ck_matrix *m, struct ck_traits t, int64_t row, int64_t first, int64_t count, ck_panel *panel) {
  for (int r = 0; r < ck_panel_rows; r++) {
    uint8_t q[256] = {0};
    float scale[16] = {0}, bias[16] = {0};
    if (row + r < m->rows) {
      const uint8_t *blocks = m->data + (row + r) * m->row_bytes + first / t.block_size * t.block_bytes;
      ck_decode(m->type, blocks, count, q, scale, bias);
    }
    for (int64_t i = 0; i < count; i++) panel->q[i / 4][r][i % 4] = q[i];
    for (int64_t i = 0; i < count / t.group; i++) {
      panel->scale[i][r] = scale[i];
      panel->bias[i][r] = bias[i];
    }
  }
}

static int32_t dot(const ck_panel *panel, int row, int first, int count, const int8_t *q) {
  int32_t sum = 0;
  for (int i = first; i < first + count; i++) sum += panel->q[i / 4][row][i % 4] * q[i];
  return sum;
}

/// The definition of a product with a quantized matrix: adds `count` columns to `sum`.
static void multiply_panel_scalar(
    const ck_panel *panel, struct ck_traits t, const struct ck_activations *a, int64_t token, int64_t first,
    int64_t count, float sum[16]) {
  const int8_t *q = a->q + token * a->columns + first;
  int32_t zero = t.zero_shift < 0 ? 0 : 1 << t.zero_shift;
  for (int r = 0; r < ck_panel_rows; r++) {
    for (int b = 0; b < count / 32; b++) {
      int64_t at = (token * a->columns + first) / 32 + b;
      float part;
      if (t.group == 32) {
        part = (float)(dot(panel, r, 32 * b, 32, q) - zero * a->sum32[at]) * panel->scale[b][r];
      } else {
        part = (float)(dot(panel, r, 32 * b, 16, q) - zero * a->sum16[2 * at]) * panel->scale[2 * b][r];
        float second = (float)(dot(panel, r, 32 * b + 16, 16, q) - zero * a->sum16[2 * at + 1]);
        part = fmaf(second, panel->scale[2 * b + 1][r], part);
      }
      sum[r] = fmaf(part, a->d[at], sum[r]);
      if (t.has_bias && t.group == 32) sum[r] = fmaf(a->dsum32[at], panel->bias[b][r], sum[r]);
      if (t.has_bias && t.group == 16) {
        sum[r] = fmaf(a->dsum16[2 * at], panel->bias[2 * b][r], sum[r]);
        sum[r] = fmaf(a->dsum16[2 * at + 1], panel->bias[2 * b + 1][r], sum[r]);
      }
    }
  }
}

static void multiply_quantized_scalar(
    const struct ck_matrix *m, struct ck_traits t, int64_t row, int64_t row_count, const struct ck_activations *a,
    float *out, int64_t out_stride) {
  ck_panel panel;
  float sums[ck_token_block][16];
  for (int64_t base = 0; base < a->count; base += ck_token_block) {
    int64_t tokens = a->count - base < ck_token_block ? a->count - base : ck_token_block;
    memset(sums, 0, sizeof(sums));
    for (int64_t first = 0; first < m->columns; first += ck_panel_columns) {
      int64_t count = m->columns - first < ck_panel_columns ? m->columns - first : ck_panel_columns;
      ck_unpack_panel_scalar(m, t, row, first, count, &panel);
      for (int64_t i = 0; i < tokens; i++) multiply_panel_scalar(&panel, t, a, base + i, first, count, sums[i]);
    }
    for (int64_t i = 0; i < tokens; i++) {
      memcpy(out + (base + i) * out_stride + row, sums[i], (size_t)row_count * sizeof(float));
    }
  }
}

static float weight(const struct ck_matrix *m, const uint8_t *row, int64_t column) {
  uint16_t half;
  float value;
  if (m->type == CK_F32) {
    memcpy(&value, row + 4 * column, 4);
    return value;
  }
  memcpy(&half, row + 2 * column, 2);
  return m->type == CK_F16 ? ck_f16_to_f32(half) : ck_bf16_to_f32(half);
}

void ck_multiply_float_scalar(
    const struct ck_matrix *m, int64_t row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride) {
  for (int64_t r = row; r < row + row_count; r++) {
    for (int64_t token = 0; token < a->count; token++) {
      const float *x = a->x + token * a->columns;
      float sum[16] = {0};
      for (int64_t k = 0; k < m->columns; k++) sum[k % 16] = fmaf(weight(m, m->data + r * m->row_bytes, k), x[k], sum[k % 16]);
      for (int step = 8; step > 0; step /= 2) {
        for (int i = 0; i < step; i++) sum[i] += sum[i + step];
      }
      out[token * out_stride + r] = sum[0];
    }
  }
}

void ck_quantize_activations(int set, const struct ck_activations *a, int64_t first, int64_t count) {
  (void)set;
  for (int64_t i = first; i < first + count; i++) ck_quantize_activations_scalar(a, i);
}

void ck_multiply(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a, float *out,
    int64_t out_stride) {
  (void)set;
  struct ck_traits t = ck_type_traits(m->type);
  for (int64_t row = first_row; row < first_row + row_count; row += ck_panel_rows) {
    int64_t rows = first_row + row_count - row < ck_panel_rows ? first_row + row_count - row : ck_panel_rows;
    if (t.group == 0) {
      ck_multiply_float_scalar(m, row, rows, a, out, out_stride);
    } else {
      multiply_quantized_scalar(m, t, row, rows, a, out, out_stride);
    }
  }
}
