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

/// 32 values to int8 by the largest magnitude / 127, the scale rounded to a half first.
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

void ck_cache_store(int set, const struct ck_cache *c, int64_t position, const float *key, const float *value) {
  int64_t group = position / 16, lane = position % 16;
  if (c->type == CK_F32) {
    float *keys = (float *)c->keys + group * c->key_dim * 16 + lane;
    for (int64_t i = 0; i < c->key_dim; i++) keys[16 * i] = key[i];
    memcpy(c->values + position * c->value_dim * 4, value, (size_t)c->value_dim * 4);
    return;
  }
  if (c->type == CK_F16) {
    uint16_t *keys = (uint16_t *)c->keys + group * c->key_dim * 16 + lane;
    uint16_t *values = (uint16_t *)c->values + position * c->value_dim;
    uint16_t halves[ck_attention_dim_limit];
    ck_f32_to_f16_array(set, key, c->key_dim, halves);
    for (int64_t i = 0; i < c->key_dim; i++) keys[16 * i] = halves[i];
    ck_f32_to_f16_array(set, value, c->value_dim, values);
    return;
  }
  int8_t q[32];
  for (int64_t b = 0; b < c->key_dim / 32; b++) {
    uint8_t *block = c->keys + (group * (c->key_dim / 32) + b) * 544;
    uint16_t d = quantize(key + 32 * b, q);
    memcpy(block + 2 * lane, &d, 2);
    for (int i = 0; i < 32; i++) block[32 + 16 * i + lane] = (uint8_t)q[i];
  }
  for (int64_t b = 0; b < c->value_dim / 32; b++) {
    ck_block_q8_0 *block = (ck_block_q8_0 *)c->values + position * (c->value_dim / 32) + b;
    block->d = quantize(value + 32 * b, block->qs);
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
