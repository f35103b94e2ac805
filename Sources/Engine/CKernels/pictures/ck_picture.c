// Dispatch of each call to the functions of its instruction set.
#include "ck_dispatch.h"
#include "ck_picture.h"

#include "ck_types.h"

#define DECLARE(set)                                                                                               \
  void ck_##set##_picture_pack_input(                                                                              \
      const struct ck_input_packing *, const float *, int64_t, int64_t, int64_t, int64_t, uint8_t *, int64_t);     \
  void ck_##set##_picture_pack(int, float *, int64_t, int64_t, int64_t, uint8_t *);                                \
  void ck_##set##_picture_multiply(const struct ck_picture_product *, int64_t, int64_t, int64_t, int64_t);         \
  void ck_##set##_picture_moments(const float *, int64_t, int64_t, double *, double *);                            \
  void ck_##set##_picture_scale(const float *, const float *, const float *, int, int64_t, int64_t, float *);      \
  void ck_##set##_picture_pack_keys(const struct ck_picture_attention *, int64_t);                                 \
  void ck_##set##_picture_attend(const struct ck_picture_attention *, int64_t, int64_t);                           \
  int64_t ck_##set##_peak_bf16(int64_t, float *);

DECLARE(scalar)
#if defined(__x86_64__)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(avx512bf16)
#elif defined(__aarch64__)
DECLARE(neon)
#endif
#define CK_BF16_CALL(call) ck_avx512bf16_##call

void ck_picture_pack(
    int set, int form, float *rows, int64_t row_count, int64_t channels, int64_t taps, void *packed) {
  DISPATCH(picture_pack(form, rows, row_count, channels, taps, packed))
}

void ck_picture_pack_input(
    int set, const struct ck_input_packing *packing, const float *x, int64_t x_stride, int64_t channels, int64_t count,
    int64_t repeat, void *out, int64_t out_stride) {
  DISPATCH(picture_pack_input(packing, x, x_stride, channels, count, repeat, out, out_stride))
}

void ck_picture_multiply(
    int set, const struct ck_picture_product *p, int64_t first, int64_t count, int64_t first_group, int64_t groups) {
  if (count <= 0) return;
  DISPATCH(picture_multiply(p, first, count, first_group, groups))
}

void ck_picture_moments(int set, const float *x, int64_t channels, int64_t count, double *sums, double *squares) {
  DISPATCH(picture_moments(x, channels, count, sums, squares))
}

void ck_picture_scale(
    int set, const float *x, const float *scale, const float *shift, int activation, int64_t channels, int64_t count,
    float *out) {
  DISPATCH(picture_scale(x, scale, shift, activation, channels, count, out))
}

int64_t ck_picture_key_bytes(int form, int64_t key_count, int64_t head_size) {
  return (key_count + 15) / 16 * 16 * (head_size + head_size % 2) * (form == CK_FORM_BF16 ? 2 : 4);
}

int64_t ck_picture_value_bytes(int form, int64_t key_count, int64_t head_size) {
  return (key_count + 15) / 16 * 16 * ((head_size + 15) / 16 * 16) * (form == CK_FORM_BF16 ? 2 : 4);
}

static void pack_group(int set, const struct ck_picture_attention *a, int64_t group) {
  DISPATCH(picture_pack_keys(a, group))
}

void ck_picture_pack_keys(int set, const struct ck_picture_attention *a, int64_t first, int64_t count) {
  for (int64_t group = first; group < first + count; group++) pack_group(set, a, group);
}

static void attend(int set, const struct ck_picture_attention *a, int64_t first, int64_t count) {
  DISPATCH(picture_attend(a, first, count))
}

void ck_picture_attend(int set, const struct ck_picture_attention *a, int64_t first, int64_t count) {
  for (int64_t q = 0; q < count; q += ck_picture_queries) {
    attend(set, a, first + q, count - q < ck_picture_queries ? count - q : ck_picture_queries);
  }
}

int64_t ck_peak_bf16(int set, int64_t rounds, float *result) { DISPATCH(peak_bf16(rounds, result)) }
