#ifndef CK_VECTOR_H
#define CK_VECTOR_H
#include <stdint.h>

/// out[i] = x[i] / sqrt(mean(x^2) + epsilon) * weight[i]; all (count,); weight may be NULL (ones). out may be x.
void ck_rms_norm(int set, const float *x, const float *weight, float epsilon, int64_t count, float *out);
/// out[i] = (x[i] - mean) / sqrt(variance + epsilon) * weight[i] + bias[i]; weight and bias may be NULL. out may be x.
void ck_layer_norm(
    int set, const float *x, const float *weight, const float *bias, float epsilon, int64_t count, float *out);
/// x = exp(x - max) / sum(exp(x - max)), in place; entries of -infinity become 0.
void ck_softmax(int set, float *x, int64_t count);
/// Returns the dot product of x and y (count,), accumulated in 16 partial sums.
float ck_dot(int set, const float *x, const float *y, int64_t count);
/// out = x + y
void ck_add(int set, const float *x, const float *y, int64_t count, float *out);
/// out = x * y
void ck_mul(int set, const float *x, const float *y, int64_t count, float *out);
/// out = x * factor
void ck_scale(int set, const float *x, float factor, int64_t count, float *out);
/// out = out + x * factor
void ck_add_scaled(int set, const float *x, float factor, int64_t count, float *out);

/// Activation functions; the numbers are those of Compute's `Activation`.
enum ck_activation {
  CK_SILU = 0, CK_GELU = 1, CK_GELU_TANH = 2, CK_GELU_QUICK = 3, CK_RELU = 4, CK_RELU2 = 5, CK_SIGMOID = 6, CK_TANH = 7,
  CK_EXP = 8
};
/// out = activation(x); out may be x.
void ck_activate(int set, int activation, const float *x, int64_t count, float *out);
/// out = activation(gate) * up; out may be gate or up.
void ck_gate(int set, int activation, const float *gate, const float *up, int64_t count, float *out);
/// out = min(gate, limit) * sigmoid(alpha * min(gate, limit)) * (clamp(up, -limit, limit) + 1): gpt-oss.
void ck_swiglu_limited(
    int set, const float *gate, const float *up, float alpha, float limit, int64_t count, float *out);

/// Rotary position embedding (RoPE): rotates pairs of one head in place. cosines, sines: (pair_count,).
/// Pair i is (x[2i], x[2i + 1]) where `is_neox` is 0, else (x[i], x[i + pair_count]).
void ck_rope(int set, float *x, const float *cosines, const float *sines, int64_t pair_count, int is_neox);

void ck_f32_to_f16_array(int set, const float *x, int64_t count, uint16_t *out);
void ck_f16_to_f32_array(int set, const uint16_t *x, int64_t count, float *out);

#endif
