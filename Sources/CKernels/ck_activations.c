#include <string.h>

#include "ck_multiply.h"

void ck_place_activations(
    const struct ck_activation_chunk *from, int64_t columns, int64_t tokens, int64_t first, struct ck_activation_chunk *to) {
  for (int64_t i = 0; i < columns / 32; i++) {
    int64_t place = first / 32 + i, s = i % 8, d = place % 8;
    for (int64_t t = 0; t < tokens; t++) {
      const struct ck_activation_chunk *source = from + i / 8 * tokens + t;
      struct ck_activation_chunk *target = to + place / 8 * tokens + t;
      memcpy(target->q + 32 * d, source->q + 32 * s, 32);
      target->d[d] = source->d[s];
      target->scaled_sum32[d] = source->scaled_sum32[s];
      target->minus_sum32[d] = source->minus_sum32[s];
      memcpy(target->minus_sum16 + 2 * d, source->minus_sum16 + 2 * s, 2 * sizeof(int32_t));
      memcpy(target->scaled_sum16 + 2 * d, source->scaled_sum16 + 2 * s, 2 * sizeof(float));
    }
  }
}
