// Functions of ck_vector.h over sixteen lanes; see ck_lanes.h.
#include "ck_output_body.h"

/// out[i] = expression of a = x[i]
#define MAP1(expression)                                    \
  for (int64_t i = 0; i < count; i += 16) {                 \
    ck_v16 a = CK_NAME(load_n)(x + i, count - i);           \
    CK_NAME(store_n)(out + i, expression, count - i);       \
  }

/// out[i] = expression of a = x[i], b = y[i]
#define MAP2(expression)                                    \
  for (int64_t i = 0; i < count; i += 16) {                 \
    ck_v16 a = CK_NAME(load_n)(x + i, count - i);           \
    ck_v16 b = CK_NAME(load_n)(y + i, count - i);           \
    CK_NAME(store_n)(out + i, expression, count - i);       \
  }

float CK_NAME(dot)(const float *x, const float *y, int64_t count) {
  ck_v16 sum = {0};
  for (int64_t i = 0; i < count; i += 16) {
    sum = CK_NAME(fma)(CK_NAME(load_n)(x + i, count - i), CK_NAME(load_n)(y + i, count - i), sum);
  }
  return CK_NAME(reduce_add)(sum);
}

CK_INLINE float CK_NAME(total)(const float *x, int64_t count) {
  ck_v16 sum = {0};
  for (int64_t i = 0; i < count; i += 16) sum += CK_NAME(load_n)(x + i, count - i);
  return CK_NAME(reduce_add)(sum);
}

void CK_NAME(add)(const float *x, const float *y, int64_t count, float *out) { MAP2(a + b) }
void CK_NAME(mul)(const float *x, const float *y, int64_t count, float *out) { MAP2(a * b) }
void CK_NAME(scale)(const float *x, float factor, int64_t count, float *out) { MAP1(a * factor) }

void CK_NAME(add_scaled)(const float *x, float factor, int64_t count, float *out) {
  const float *y = out;
  MAP2(CK_NAME(fma)(a, CK_NAME(splat)(factor), b))
}

void CK_NAME(rms_norm)(const float *x, const float *weight, float epsilon, int64_t count, float *out) {
  float factor = 1.0f / __builtin_sqrtf(CK_NAME(dot)(x, x, count) / (float)count + epsilon);
  const float *y = weight;
  if (weight) {
    MAP2(a * factor * b)
  } else {
    MAP1(a * factor)
  }
}

void CK_NAME(layer_norm)(
    const float *x, const float *weight, const float *bias, float epsilon, int64_t count, float *out) {
  float mean = CK_NAME(total)(x, count) / (float)count;
  MAP1(a - mean)
  float variance = CK_NAME(dot)(out, out, count) / (float)count;
  float factor = 1.0f / __builtin_sqrtf(variance + epsilon);
  CK_NAME(scale)(out, factor, count, out);
  if (weight) CK_NAME(mul)(out, weight, count, out);
  if (bias) CK_NAME(add)(out, bias, count, out);
}

void CK_NAME(softmax)(float *x, int64_t count) {
  if (count <= 0) return;
  float *out = x;
  ck_v16 highest = CK_NAME(splat)(x[0]);
  int64_t whole = count / 16 * 16;
  for (int64_t i = 0; i < whole; i += 16) highest = CK_NAME(max)(CK_NAME(load)(x + i), highest);
  float top = CK_NAME(reduce_max)(highest);
  for (int64_t i = whole; i < count; i++) top = x[i] > top ? x[i] : top;
  MAP1(CK_NAME(exp)(a - top))
  float factor = 1.0f / CK_NAME(total)(x, count);
  MAP1(a * factor)
}

#define ACTIVATIONS(MAP)                                                        \
  switch (activation) {                                                         \
  case CK_SILU: MAP(CK_NAME(activated)(CK_SILU, a)); break;                     \
  case CK_GELU: MAP(CK_NAME(activated)(CK_GELU, a)); break;                     \
  case CK_GELU_TANH: MAP(CK_NAME(activated)(CK_GELU_TANH, a)); break;           \
  case CK_GELU_QUICK: MAP(CK_NAME(activated)(CK_GELU_QUICK, a)); break;         \
  case CK_RELU: MAP(CK_NAME(activated)(CK_RELU, a)); break;                     \
  case CK_RELU2: MAP(CK_NAME(activated)(CK_RELU2, a)); break;                   \
  case CK_SIGMOID: MAP(CK_NAME(activated)(CK_SIGMOID, a)); break;               \
  case CK_TANH: MAP(CK_NAME(activated)(CK_TANH, a)); break;                     \
  case CK_EXP: MAP(CK_NAME(activated)(CK_EXP, a)); break;                       \
  default: break;                                                               \
  }

void CK_NAME(activate)(int activation, const float *x, int64_t count, float *out) { ACTIVATIONS(MAP1) }

// sums[t][i] = expression of a = sums[t][i] + bias[i]
#define FINISHED(expression)                                   \
  for (int64_t t = 0; t < count; t++, sums += stride) {        \
    for (int64_t i = 0; i < row_count; i += 16) {              \
      ck_v16 a = CK_NAME(load_n)(sums + i, row_count - i);     \
      if (bias) a += CK_NAME(load_n)(bias + i, row_count - i); \
      CK_NAME(store_n)(sums + i, expression, row_count - i);   \
    }                                                          \
  }
void CK_NAME(finish_rows)(
    const struct ck_output *to, int64_t first_row, int64_t row_count, int64_t count, float *sums, int64_t stride) {
  const float *bias = to->bias ? to->bias + first_row : NULL;
  int activation = to->activation;
  if (activation >= 0) ACTIVATIONS(FINISHED)
  else if (bias) FINISHED(a)
}
#undef FINISHED

#define GATED(expression) MAP2((expression) * b)
void CK_NAME(gate)(int activation, const float *x, const float *y, int64_t count, float *out) { ACTIVATIONS(GATED) }
#undef GATED

void CK_NAME(swiglu_limited)(const float *x, const float *y, float alpha, float limit, int64_t count, float *out) {
  ck_v16 top = CK_NAME(splat)(limit), bottom = CK_NAME(splat)(-limit);
  MAP2(
      CK_NAME(min)(a, top) * CK_NAME(sigmoid)(alpha * CK_NAME(min)(a, top))
      * (CK_NAME(max)(CK_NAME(min)(b, top), bottom) + 1.0f))
}

void CK_NAME(rope)(float *x, const float *cosines, const float *sines, int64_t pair_count, int is_neox) {
  if (!is_neox) {
    for (int64_t i = 0; i < pair_count; i++) {
      float a = x[2 * i], b = x[2 * i + 1];
      x[2 * i] = a * cosines[i] - b * sines[i];
      x[2 * i + 1] = a * sines[i] + b * cosines[i];
    }
    return;
  }
  int64_t i = 0;
  for (; i + 16 <= pair_count; i += 16) {
    ck_v16 a = CK_NAME(load)(x + i), b = CK_NAME(load)(x + pair_count + i);
    ck_v16 c = CK_NAME(load)(cosines + i), s = CK_NAME(load)(sines + i);
    CK_NAME(store)(x + i, a * c - b * s);
    CK_NAME(store)(x + pair_count + i, a * s + b * c);
  }
  for (; i < pair_count; i++) {
    float a = x[i], b = x[pair_count + i];
    x[i] = a * cosines[i] - b * sines[i];
    x[pair_count + i] = a * sines[i] + b * cosines[i];
  }
}

void CK_NAME(f16_to_f32_array)(const uint16_t *x, int64_t count, float *out) {
  int64_t i = 0;
  for (; i + 16 <= count; i += 16) CK_NAME(store)(out + i, CK_NAME(widen)(x + i));
  for (; i < count; i++) out[i] = ck_f16_to_f32(x[i]);
}

void CK_NAME(f32_to_f16_array)(const float *x, int64_t count, uint16_t *out) {
  int64_t i = 0;
#ifdef CK_OWN_WIDEN
  for (; i + 16 <= count; i += 16) CK_NAME(narrow)(CK_NAME(load)(x + i), out + i);
#endif
  for (; i < count; i++) out[i] = ck_f32_to_f16(x[i]);
}

#undef MAP1
#undef MAP2
#undef ACTIVATIONS
