// ck_quantize_activations over sixteen lanes; see ck_lanes.h.

// Of sixteen vectors, lane i of the result has vector i's lanes joined: halving the vectors four times.
#define PAIRS(i, ...) __builtin_shufflevector(v[2 * (i)], v[2 * (i) + 1], __VA_ARGS__)
#define JOINED_LANES(join)                                                                                        \
  for (int i = 0; i < 8; i++) {                                                                                   \
    v[i] = join(                                                                                                  \
        PAIRS(i, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30),                                      \
        PAIRS(i, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31));                                     \
  }                                                                                                               \
  for (int i = 0; i < 4; i++) {                                                                                   \
    v[i] = join(                                                                                                  \
        PAIRS(i, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29),                                       \
        PAIRS(i, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31));                                    \
  }                                                                                                               \
  for (int i = 0; i < 2; i++) {                                                                                   \
    v[i] = join(                                                                                                  \
        PAIRS(i, 0, 1, 2, 3, 16, 17, 18, 19, 8, 9, 10, 11, 24, 25, 26, 27),                                       \
        PAIRS(i, 4, 5, 6, 7, 20, 21, 22, 23, 12, 13, 14, 15, 28, 29, 30, 31));                                    \
  }                                                                                                               \
  return join(                                                                                                    \
      PAIRS(0, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23),                                           \
      PAIRS(0, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 26, 27, 28, 29, 30, 31));

CK_INLINE ck_i16 CK_NAME(plus)(ck_i16 a, ck_i16 b) { return a + b; }
CK_INLINE ck_i16 CK_NAME(sums_of_lanes)(ck_i16 *v) { JOINED_LANES(CK_NAME(plus)) }
CK_INLINE ck_v16 CK_NAME(largest_of_lanes)(ck_v16 *v) { JOINED_LANES(CK_NAME(max)) }
#undef JOINED_LANES
#undef PAIRS

#define NEIGHBOURS(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define EVENS(v) __builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14)

void CK_NAME(quantize_activations)(const struct ck_activations *a, int64_t token) {
  float room[ck_chunk_columns] = {0};
  for (int64_t column = 0; column < a->columns; column += ck_chunk_columns) {
    struct ck_activation_chunk *chunk = a->chunks + column / ck_chunk_columns * a->stride + token;
    const float *x = a->x + token * a->columns + column;
    if (a->columns - column < ck_chunk_columns) {
      memcpy(room, x, (size_t)(a->columns - column) * sizeof(float));
      x = room;
    }
    ck_v16 magnitude[16];
#pragma unroll
    for (int i = 0; i < 16; i++) {
      ck_v16 v = CK_NAME(load)(x + 16 * i);
      magnitude[i] = CK_NAME(max)(CK_NAME(max)(v, -v), (ck_v16){0});
    }
    ck_v16 largest = CK_NAME(largest_of_lanes)(magnitude);
    largest = CK_NAME(max)(largest, NEIGHBOURS(largest));
    ck_v16 d = largest / 127.0f;
    ck_v16 inverse = CK_NAME(pick)(largest > 0, 127.0f / largest, (ck_v16){0});
    ck_i16 q[16];
#pragma unroll
    for (int i = 0; i < 16; i++) {
      typedef int8_t b16 __attribute__((vector_size(16)));
      ck_v16 scaled = CK_NAME(load)(x + 16 * i) * inverse[i], top = CK_NAME(all)(127.0f);
      // Written so that what is not a number gives 127.
      scaled = CK_NAME(pick)(scaled <= top, scaled, top);
      scaled = CK_NAME(max)(scaled, -top);
      q[i] = __builtin_convertvector(__builtin_elementwise_roundeven(scaled), ck_i16);
      b16 bytes = __builtin_convertvector(q[i], b16);
      memcpy(chunk->q + 16 * i, &bytes, 16);
    }
    ck_i16 sum = CK_NAME(sums_of_lanes)(q), minus_sum = -sum;
    ck_v16 scaled_sum = d * __builtin_convertvector(sum, ck_v16);
    memcpy(chunk->minus_sum16, &minus_sum, sizeof minus_sum);
    CK_NAME(store)(chunk->scaled_sum16, scaled_sum);
    sum += NEIGHBOURS(sum);
    minus_sum = -sum;
    scaled_sum = d * __builtin_convertvector(sum, ck_v16);
    d = EVENS(d);
    minus_sum = EVENS(minus_sum);
    scaled_sum = EVENS(scaled_sum);
    memcpy(chunk->d, &d, sizeof chunk->d);
    memcpy(chunk->minus_sum32, &minus_sum, sizeof chunk->minus_sum32);
    memcpy(chunk->scaled_sum32, &scaled_sum, sizeof chunk->scaled_sum32);
  }
}
#undef NEIGHBOURS
#undef EVENS
