// Products of a small batch, for types that are cheap to unpack: as with one token, the weights are read once and
// unpacked in registers. A set defines CK_SMALL_BATCH_TOKENS, the number of tokens whose sums fit its registers next to
// the weights.

/// Multiplies a small batch with `groups` times 16 rows from `row`. Results go to `out` (token, group, 16); the last
/// token is repeated to fill the last tile of CK_SMALL_BATCH_TOKENS.
CK_INLINE void CK_NAME(multiply_groups_batch)(
    const int type, const int group_size, const int is_wide, const int zero_shift, const int has_bias,
    const int prefetches, const struct ck_matrix *m, int64_t row, int64_t groups, const struct ck_activations *a,
    float (*out)[2][16]) {
  CK_NAME(chunk_scales) scales;
  _Alignas(64) uint8_t buffer[ck_chunk_bytes];
  int64_t padded = (a->count + CK_SMALL_BATCH_TOKENS - 1) / CK_SMALL_BATCH_TOKENS * CK_SMALL_BATCH_TOKENS, at = 0;
  memset(out, 0, (size_t)padded * sizeof out[0]);
  for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
    int blocks32 = m->columns - column < ck_chunk_columns ? (int)(m->columns - column) / 32 : 8;
    int bytes = ck_layout(type, blocks32).bytes;
    const struct ck_activation_chunk *inputs = a->chunks + column / ck_chunk_columns * a->stride;
    for (int64_t g = 0; g < groups; g++) {
      const uint8_t *packed = CK_NAME(chunk)(type, m, row + 16 * g, column, at, bytes, buffer);
      struct ck_prefetch ahead = ck_prefetch_of(m, packed);
      CK_NAME(scales)(type, packed, blocks32, scales.scale, scales.bias);
      for (int64_t first = 0; first < padded; first += CK_SMALL_BATCH_TOKENS) {
        const struct ck_activation_chunk *chunks[CK_SMALL_BATCH_TOKENS];
        ck_v16 sum[CK_SMALL_BATCH_TOKENS];
        for (int t = 0; t < CK_SMALL_BATCH_TOKENS; t++) {
          chunks[t] = inputs + (first + t < a->count ? first + t : a->count - 1);
          sum[t] = CK_NAME(load)(out[first + t][g]);
        }
#define BLOCK(blocks32, b)                                                                                       \
  if ((b) % CK_NAME(together)(type, blocks32) == 0)                                                              \
    CK_NAME(multiply_blocks)(                                                                                    \
        type, group_size, is_wide, zero_shift, has_bias, CK_SMALL_BATCH_TOKENS, prefetches, blocks32, b, packed, \
        ahead, &scales, chunks, sum);
        EACH_BLOCK(blocks32)
#undef BLOCK
        for (int t = 0; t < CK_SMALL_BATCH_TOKENS; t++) CK_NAME(store)(out[first + t][g], sum[t]);
      }
    }
    at += bytes;
  }
}

static int CK_NAME(is_small_batch)(const struct ck_matrix *m, int64_t tokens) {
  return tokens <= ck_small_batch_tokens && (m->type == CK_Q8_0 || m->type == CK_Q4_0);
}

/// Multiplies a small batch with `rows` rows, in `groups` groups, from `row`.
static void CK_NAME(multiply_small_batch)(
    const struct ck_matrix *m, int64_t row, int64_t rows, int64_t groups, const struct ck_activations *a,
    const struct ck_output *to) {
  float sums[ck_small_batch_tokens][2][16];
#define BATCH(type, is_wide, zero_shift, prefetches) \
  CK_NAME(multiply_groups_batch)(type, 32, is_wide, zero_shift, 0, prefetches, m, row, groups, a, sums)
  int prefetches = ck_uses_prefetch(m);
  if (m->type == CK_Q4_0) {
    if (prefetches) BATCH(CK_Q4_0, 0, 3, 1);
    else BATCH(CK_Q4_0, 0, 3, 0);
  } else {
    if (prefetches) BATCH(CK_Q8_0, 1, 7, 1);
    else BATCH(CK_Q8_0, 1, 7, 0);
  }
#undef BATCH
  CK_NAME(end_rows)(to, row, rows, a->count, sums[0][0], 32);
  for (int64_t t = 0; t < a->count; t++) {
    CK_NAME(store_rows)(sums[t], (int)groups, rows, CK_NAME(place)(to, t, row));
  }
}
