// Dispatch of each call to the functions of its instruction set.
#include "ck_bf16.h"
#include "ck_dispatch.h"
#include "ck_types.h"

#define DECLARE(set)                                                 \
  void ck_##set##_pack_bf16(const struct ck_activations *, int64_t); \
  void ck_##set##_multiply_bf16(                                     \
      const struct ck_matrix *, int64_t, int64_t, const struct ck_activations *, const struct ck_output *);

DECLARE(scalar)
#if defined(__x86_64__)
DECLARE(avx2)
DECLARE(avx512)
DECLARE(avx512bf16)
#elif defined(__aarch64__)
DECLARE(neon)
#endif
#define CK_BF16_CALL(call) ck_avx512bf16_##call

void ck_pack_bf16(int set, const struct ck_activations *a, int64_t token) { DISPATCH(pack_bf16(a, token)) }

void ck_multiply_bf16(
    int set, const struct ck_matrix *m, int64_t first_row, int64_t row_count, const struct ck_activations *a,
    const struct ck_output *to) {
  DISPATCH(multiply_bf16(m, first_row, row_count, a, to))
}
