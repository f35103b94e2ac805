// Dispatch of each call to the functions of its instruction set.
#include <string.h>

#include "ck_dispatch.h"
#include "ck_attention.h"
#include "ck_bf16.h"
#include "ck_multiply.h"
#include "ck_panel.h"
#include "ck_peak.h"
#include "ck_types.h"
#include "ck_vector.h"

#define DECLARE(set)                                                                                             \
  float ck_##set##_dot(const float *, const float *, int64_t);                                                   \
  void ck_##set##_add(const float *, const float *, int64_t, float *);                                           \
  void ck_##set##_mul(const float *, const float *, int64_t, float *);                                           \
  void ck_##set##_scale(const float *, float, int64_t, float *);                                                 \
  void ck_##set##_add_scaled(const float *, float, int64_t, float *);                                            \
  void ck_##set##_rms_norm(const float *, const float *, float, int64_t, float *);                               \
  void ck_##set##_layer_norm(const float *, const float *, const float *, float, int64_t, float *);              \
  void ck_##set##_softmax(float *, int64_t);                                                                     \
  void ck_##set##_activate(int, const float *, int64_t, float *);                                                \
  void ck_##set##_gate(int, const float *, const float *, int64_t, float *);                                     \
  void ck_##set##_swiglu_limited(const float *, const float *, float, float, int64_t, float *);                  \
  void ck_##set##_rope(float *, const float *, const float *, int64_t, int);                                     \
  void ck_##set##_f16_to_f32_array(const uint16_t *, int64_t, float *);                                          \
  void ck_##set##_f32_to_f16_array(const float *, int64_t, uint16_t *);                                          \
  void ck_##set##_attend(const struct ck_attention *, int64_t, int64_t);                                         \
  void ck_##set##_lay_f32(const struct ck_activations *, int64_t);                                               \
  void ck_##set##_quantize_int16(const struct ck_activations *, int64_t);                                        \
  void ck_##set##_multiply_int16(                                                                                \
      const struct ck_matrix *, int64_t, int64_t, const struct ck_activations *, const struct ck_output *);      \
  void ck_##set##_multiply_float(                                                                                \
      const struct ck_matrix *, int64_t, int64_t, const struct ck_activations *, const struct ck_output *);

#define DECLARE_INT8(set)                                                                                        \
  uint64_t ck_##set##_peak_read(const uint8_t *, int64_t);                                                       \
  int64_t ck_##set##_peak_int8(int64_t, int32_t *);                                                              \
  int64_t ck_##set##_peak_f32(int64_t, float *);                                                                 \
  void ck_##set##_pack(const struct ck_matrix *, int64_t, int64_t, uint8_t *);                                   \
  void ck_##set##_quantize_activations(const struct ck_activations *, int64_t);                                  \
  void ck_##set##_quantize_columns(                                                                              \
      int, int, const float *, int64_t, int64_t, int64_t, struct ck_activation_chunk *);                         \
  void ck_##set##_multiply_quantized(                                                                            \
      const struct ck_matrix *, int64_t, int64_t, const struct ck_activations *, const struct ck_output *);

DECLARE(scalar)
DECLARE_INT8(scalar)
#if defined(__x86_64__)
DECLARE(avx2)
DECLARE_INT8(avx2)
DECLARE_INT8(avxvnni)
DECLARE(avx512)
DECLARE_INT8(avx512)
#elif defined(__aarch64__)
DECLARE(neon)
DECLARE_INT8(neon)
DECLARE_INT8(neondot)
DECLARE_INT8(neoni8mm)
#endif
#define CK_BF16_CALL(call) ck_avx512_##call

float ck_dot(int set, const float *x, const float *y, int64_t count) { DISPATCH(dot(x, y, count)) }
void ck_add(int set, const float *x, const float *y, int64_t count, float *out) { DISPATCH(add(x, y, count, out)) }
void ck_mul(int set, const float *x, const float *y, int64_t count, float *out) { DISPATCH(mul(x, y, count, out)) }
void ck_scale(int set, const float *x, float factor, int64_t count, float *out) {
  DISPATCH(scale(x, factor, count, out))
}
void ck_add_scaled(int set, const float *x, float factor, int64_t count, float *out) {
  DISPATCH(add_scaled(x, factor, count, out))
}
void ck_rms_norm(int set, const float *x, const float *weight, float epsilon, int64_t count, float *out) {
  DISPATCH(rms_norm(x, weight, epsilon, count, out))
}
void ck_layer_norm(
    int set, const float *x, const float *weight, const float *bias, float epsilon, int64_t count, float *out) {
  DISPATCH(layer_norm(x, weight, bias, epsilon, count, out))
}
void ck_softmax(int set, float *x, int64_t count) { DISPATCH(softmax(x, count)) }
void ck_activate(int set, int activation, const float *x, int64_t count, float *out) {
  DISPATCH(activate(activation, x, count, out))
}
void ck_gate(int set, int activation, const float *gate, const float *up, int64_t count, float *out) {
  DISPATCH(gate(activation, gate, up, count, out))
}
void ck_swiglu_limited(
    int set, const float *gate, const float *up, float alpha, float limit, int64_t count, float *out) {
  DISPATCH(swiglu_limited(gate, up, alpha, limit, count, out))
}
void ck_rope(int set, float *x, const float *cosines, const float *sines, int64_t pair_count, int is_neox) {
  DISPATCH(rope(x, cosines, sines, pair_count, is_neox))
}
void ck_f16_to_f32_array(int set, const uint16_t *x, int64_t count, float *out) {
  DISPATCH(f16_to_f32_array(x, count, out))
}
void ck_f32_to_f16_array(int set, const float *x, int64_t count, uint16_t *out) {
  DISPATCH(f32_to_f16_array(x, count, out))
}
void ck_attend(int set, const struct ck_attention *attention, int64_t first_query, int64_t count) {
  DISPATCH(attend(attention, first_query, count))
}

int64_t ck_packed_group_bytes(int type, int64_t columns) { return ck_group_bytes(type, columns); }

/// Packs bundles of the rows from `row` up to `end`; see ck_bundle_rows.
static void bundle(const struct ck_matrix *m, int64_t row, int64_t end, uint8_t *to) {
  for (; row < end; row += ck_bundle_rows) {
    for (int64_t at = 0; at < m->row_bytes; at += 64) {
      for (int r = 0; r < ck_bundle_rows; r++, to += 64) {
        const uint8_t *from = m->data + (row + r < m->rows ? row + r : m->rows - 1) * m->row_bytes + at;
        if (m->row_bytes - at >= 64) {
          memcpy(to, from, 64);
        } else {
          memset(to, 0, 64);
          memcpy(to, from, (size_t)(m->row_bytes - at));
        }
      }
    }
  }
}

void ck_pack(int set, const struct ck_matrix *m, int64_t first, int64_t count, uint8_t *packed) {
  if (ck_bundled_bytes(m->type, m->columns)) {
    bundle(m, 16 * first, 16 * (first + count), packed);
    return;
  }
  DISPATCH_INT8(pack(m, first, count, packed))
}

int64_t ck_line_bytes(int set, int is_bf16, int64_t columns) {
  int64_t width = ck_most_panel_lines * (set == CK_AVX512_BF16 && is_bf16 ? 32 : 16);
  return (columns + width - 1) / width * ck_most_panel_lines * 64;
}

static void quantize_token(int set, const struct ck_activations *a, int64_t token) {
  if (a->lines && a->has_bf16_lines) {
    ck_pack_bf16(set, a, token);
    return;
  }
  if (a->lines) {
    DISPATCH(lay_f32(a, token))
  }
  if (a->int16) {
    DISPATCH(quantize_int16(a, token))
  }
  DISPATCH_INT8(quantize_activations(a, token))
}

void ck_quantize_activations(int set, const struct ck_activations *a, int64_t first, int64_t count) {
  for (int64_t i = first; i < first + count; i++) quantize_token(set, a, i);
}

void ck_quantize_columns(
    int set, int type, const float *x, int64_t columns, int64_t tokens, int64_t first, struct ck_activation_chunk *to) {
  struct ck_traits t = ck_type_traits(type);
  DISPATCH_INT8(quantize_columns(t.group, t.has_bias, x, columns, tokens, first, to))
}

static void multiply_float(
    int set, const struct ck_matrix *m, int64_t first, int64_t count, const struct ck_activations *a,
    const struct ck_output *to) {
  DISPATCH(multiply_float(m, first, count, a, to))
}

static void multiply_quantized(
    int set, const struct ck_matrix *m, int64_t first, int64_t count, const struct ck_activations *a,
    const struct ck_output *to) {
  if (a->int16) {
    DISPATCH(multiply_int16(m, first, count, a, to))
  }
  DISPATCH_INT8(multiply_quantized(m, first, count, a, to))
}

void ck_multiply(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to) {
  if (m->type == CK_BF16 && a->has_bf16_lines) {
    ck_multiply_bf16(set, m, first_row, row_count, a, to);
  } else if (ck_type_traits(m->type).group == 0) {
    multiply_float(set, m, first_row, row_count, a, to);
  } else {
    multiply_quantized(set, m, first_row, row_count, a, to);
  }
}

uint64_t ck_peak_read(int set, const void *start, int64_t bytes) { DISPATCH_INT8(peak_read(start, bytes)) }
int64_t ck_peak_int8(int set, int64_t rounds, int32_t *result) { DISPATCH_INT8(peak_int8(rounds, result)) }
int64_t ck_peak_f32(int set, int64_t rounds, float *result) { DISPATCH_INT8(peak_f32(rounds, result)) }
