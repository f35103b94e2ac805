#include <math.h>
#include <string.h>

#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_types.h"
#include "ck_vector.h"

#pragma STDC FP_CONTRACT OFF

int64_t ck_cache_key_bytes(int type, int64_t dim, int64_t capacity) {
  if (type == CK_Q8_0) return capacity / 16 * (dim / 32) * 544;
  return capacity * dim * (type == CK_F32 ? 4 : 2);
}

int64_t ck_cache_value_bytes(int type, int64_t dim, int64_t capacity) {
  if (type == CK_Q8_0) return capacity * (dim / 32) * 34;
  return capacity * dim * (type == CK_F32 ? 4 : 2);
}

/// Quantizes 32 values to int8 with the scale max|x| / 127, rounded to F16 first. Returns the scale.
static uint16_t quantize(const float *x, int8_t *q) {
  float largest = 0;
  for (int i = 0; i < 32; i++) largest = fabsf(x[i]) > largest ? fabsf(x[i]) : largest;
  uint16_t half = ck_f32_to_f16(largest / 127.0f);
  float inverse = largest > 0 ? 127.0f / largest : 0;
  for (int i = 0; i < 32; i++) {
    float scaled = x[i] * inverse;
    q[i] = (int8_t)rintf(scaled <= 127.0f ? (scaled >= -127.0f ? scaled : -127.0f) : 127.0f);
  }
  return half;
}

/// Stores positions of one group of 16, from `lane` on.
static void store_q8(
    const struct ck_cache *c, int64_t group, int64_t lane, int64_t count, const float *keys, int64_t key_stride,
    const float *values, int64_t value_stride) {
  int8_t q[32];
  for (int64_t l = lane; l < lane + count; l++, keys += key_stride, values += value_stride) {
    for (int64_t b = 0; b < c->key_dim / 32; b++) {
      uint8_t *block = c->keys + (group * (c->key_dim / 32) + b) * 544;
      uint16_t d = quantize(keys + 32 * b, q);
      memcpy(block + 2 * l, &d, 2);
      for (int i = 0; i < 32; i++) block[32 + 16 * i + l] = (uint8_t)q[i];
    }
    for (int64_t b = 0; b < c->value_dim / 32; b++) {
      ck_block_q8_0 *block = (ck_block_q8_0 *)c->values + (16 * group + l) * (c->value_dim / 32) + b;
      block->d = quantize(values + 32 * b, block->qs);
    }
  }
}

static void store_f16(
    int set, const struct ck_cache *c, int64_t group, int64_t lane, int64_t count, const float *keys,
    int64_t key_stride, const float *values, int64_t value_stride) {
  uint16_t halves[16][ck_attention_dim_limit];
  for (int64_t l = 0; l < count; l++) ck_f32_to_f16_array(set, keys + l * key_stride, c->key_dim, halves[l]);
  uint16_t *out = (uint16_t *)c->keys + group * c->key_dim * 16 + lane;
  // Line by line, each as far as its positions are given.
  for (int64_t i = 0; i < c->key_dim; i++, out += 16) {
    for (int64_t l = 0; l < count; l++) out[l] = halves[l][i];
  }
  for (int64_t l = 0; l < count; l++) {
    uint16_t *row = (uint16_t *)c->values + (16 * group + lane + l) * c->value_dim;
    ck_f32_to_f16_array(set, values + l * value_stride, c->value_dim, row);
  }
}

static void store_f32(
    const struct ck_cache *c, int64_t group, int64_t lane, int64_t count, const float *keys, int64_t key_stride,
    const float *values, int64_t value_stride) {
  float *out = (float *)c->keys + group * c->key_dim * 16 + lane;
  for (int64_t i = 0; i < c->key_dim; i++, out += 16) {
    for (int64_t l = 0; l < count; l++) out[l] = keys[l * key_stride + i];
  }
  float *row = (float *)c->values + (16 * group + lane) * c->value_dim;
  for (int64_t l = 0; l < count; l++, row += c->value_dim) {
    memcpy(row, values + l * value_stride, (size_t)c->value_dim * sizeof(float));
  }
}

void ck_cache_store(
    int set, const struct ck_cache *c, int64_t first, int64_t count, const float *keys, int64_t key_stride,
    const float *values, int64_t value_stride) {
  for (int64_t end = first + count; first < end;) {
    int64_t group = first / 16, lane = first % 16, n = end - first < 16 - lane ? end - first : 16 - lane;
    if (c->type == CK_F32) store_f32(c, group, lane, n, keys, key_stride, values, value_stride);
    else if (c->type == CK_F16) store_f16(set, c, group, lane, n, keys, key_stride, values, value_stride);
    else store_q8(c, group, lane, n, keys, key_stride, values, value_stride);
    first += n;
    keys += n * key_stride;
    values += n * value_stride;
  }
}

void ck_cache_load(const struct ck_cache *c, int64_t position, float *key, float *value) {
  int64_t group = position / 16, lane = position % 16;
  if (c->type == CK_F32) {
    const float *keys = (const float *)c->keys + group * c->key_dim * 16 + lane;
    for (int64_t i = 0; i < c->key_dim; i++) key[i] = keys[16 * i];
  } else if (c->type == CK_F16) {
    const uint16_t *keys = (const uint16_t *)c->keys + group * c->key_dim * 16 + lane;
    for (int64_t i = 0; i < c->key_dim; i++) key[i] = ck_f16_to_f32(keys[16 * i]);
  } else {
    for (int64_t i = 0; i < c->key_dim; i++) {
      const uint8_t *block = c->keys + (group * (c->key_dim / 32) + i / 32) * 544;
      uint16_t d;
      memcpy(&d, block + 2 * lane, 2);
      key[i] = (float)(int8_t)block[32 + 16 * (i % 32) + lane] * ck_f16_to_f32(d);
    }
  }
  ck_dequantize(c->type, c->values + ck_cache_value_bytes(c->type, c->value_dim, position), c->value_dim, value);
}
