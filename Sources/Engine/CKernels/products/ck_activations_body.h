// ck_quantize_activations and ck_quantize_columns over sixteen lanes; see ck_lanes.h.

// Reduces eight vectors to one in three halvings: lanes 2 i and 2 i + 1 of the result join the even and the odd lanes
// of vector i.
#define PAIRS(i, ...) __builtin_shufflevector(v[2 * (i)], v[2 * (i) + 1], __VA_ARGS__)
#define JOINED_PAIRS(join)                                                                                        \
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
CK_INLINE ck_v16 CK_NAME(largest_of_pairs)(ck_v16 *v) { JOINED_PAIRS(CK_NAME(max)) }

/// Reduces sixteen vectors to one: lane i of the result is the sum of vector i.
CK_INLINE ck_i16 CK_NAME(sums_of_lanes)(ck_i16 *v) {
  for (int i = 0; i < 8; i++) {
    v[i] = PAIRS(i, 0, 16, 2, 18, 4, 20, 6, 22, 8, 24, 10, 26, 12, 28, 14, 30) +
           PAIRS(i, 1, 17, 3, 19, 5, 21, 7, 23, 9, 25, 11, 27, 13, 29, 15, 31);
  }
  JOINED_PAIRS(CK_NAME(plus))
}
#undef JOINED_PAIRS
#undef PAIRS

#define NEIGHBOURS(v) __builtin_shufflevector(v, v, 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14)
#define EVENS(v) __builtin_shufflevector(v, v, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14)

/// Scales and sums of eight blocks of 32 quantized values.
typedef struct {
  ck_v16 d;                 // scales, each twice
  ck_i16 minus_sum;         // of each 16
  ck_v16 scaled_sum;        // of each 16
  ck_i16 minus_sum32;       // each twice, as the next
  ck_v16 scaled_sum32;
} CK_NAME(rounded);

/// Quantizes the 32 values at each of eight places to 8 bits.
CK_INLINE CK_NAME(rounded) CK_NAME(round)(const float *const *x, int8_t *const *out) {
  typedef int8_t b16 __attribute__((vector_size(16)));
  ck_v16 magnitude[8] = {{0}};
#pragma unroll
  for (int i = 0; i < 16; i++) {
    ck_i16 v = (ck_i16)CK_NAME(load)(x[i / 2] + 16 * (i % 2));
    // NaN does not count.
    magnitude[i / 2] = CK_NAME(max)((ck_v16)(v & INT32_MAX), magnitude[i / 2]);
  }
  ck_v16 largest = CK_NAME(largest_of_pairs)(magnitude);
  largest = CK_NAME(max)(largest, NEIGHBOURS(largest));
  ck_v16 d = largest / 127.0f;
  ck_v16 inverse = CK_NAME(select)(largest > 0, 127.0f / largest, (ck_v16){0});
  ck_i16 q[16];
#pragma unroll
  for (int i = 0; i < 16; i++) {
    q[i] = CK_NAME(to_integers)(CK_NAME(load)(x[i / 2] + 16 * (i % 2)) * inverse[i], 127);
    b16 bytes = __builtin_convertvector(q[i], b16);
    memcpy(out[i / 2] + 16 * (i % 2), &bytes, 16);
  }
  ck_i16 sum = CK_NAME(sums_of_lanes)(q), sum32 = sum + NEIGHBOURS(sum);
  return (CK_NAME(rounded)){
      d, -sum, d * __builtin_convertvector(sum, ck_v16), -sum32, d * __builtin_convertvector(sum32, ck_v16)};
}

void CK_NAME(quantize_activations)(const struct ck_activations *a, int64_t token) {
  float buffer[ck_chunk_columns] = {0};
  for (int64_t column = 0; column < a->columns; column += ck_chunk_columns) {
    struct ck_activation_chunk *chunk = a->chunks + column / ck_chunk_columns * a->stride + token;
    const float *x = a->x + token * a->columns + column;
    if (a->columns - column < ck_chunk_columns) {
      memcpy(buffer, x, (size_t)(a->columns - column) * sizeof(float));
      x = buffer;
    }
    const float *places[8];
    int8_t *targets[8];
    CK_UNROLL
    for (int i = 0; i < 8; i++) {
      places[i] = x + 32 * i;
      targets[i] = chunk->q + 32 * i;
    }
    CK_NAME(rounded) r = CK_NAME(round)(places, targets);
    ck_v16 d = EVENS(r.d), scaled_sum32 = EVENS(r.scaled_sum32);
    ck_i16 minus_sum32 = EVENS(r.minus_sum32);
    memcpy(chunk->d, &d, sizeof chunk->d);
    memcpy(chunk->scaled_sum32, &scaled_sum32, sizeof chunk->scaled_sum32);
    memcpy(chunk->minus_sum32, &minus_sum32, sizeof chunk->minus_sum32);
    memcpy(chunk->minus_sum16, &r.minus_sum, sizeof r.minus_sum);
    memcpy(chunk->scaled_sum16, &r.scaled_sum, sizeof r.scaled_sum);
  }
}

/// Quantizes columns for weights of one kind, which need one kind of sums; `group_size` and `has_bias` are constants.
CK_INLINE void CK_NAME(quantize_for)(
    const int group_size, const int has_bias, const float *x, int64_t columns, int64_t tokens, int64_t first,
    struct ck_activation_chunk *to) {
  static const float zeros[32];
  int64_t block = first / 32, end = block + columns / 32, token = 0;
  while (token < tokens) {
    const float *places[8];
    int8_t buffer[32], *targets[8];
    struct ck_activation_chunk *chunks[8];
    int at[8], count = 0;
    for (; count < 8 && token < tokens; count++, x += 32) {
      chunks[count] = to + block / 8 * tokens + token;
      at[count] = (int)(block % 8);
      places[count] = x;
      targets[count] = chunks[count]->q + 32 * at[count];
      if (++block == end) {
        block = first / 32;
        token++;
      }
    }
    for (int i = count; i < 8; i++) {
      places[i] = zeros;
      targets[i] = buffer;
    }
    CK_NAME(rounded) r = CK_NAME(round)(places, targets);
    float d[16], sums[16];
    memcpy(d, &r.d, sizeof d);
    if (group_size == 32) memcpy(sums, has_bias ? (void *)&r.scaled_sum32 : (void *)&r.minus_sum32, sizeof sums);
    else memcpy(sums, has_bias ? (void *)&r.scaled_sum : (void *)&r.minus_sum, sizeof sums);
    for (int i = 0; i < count; i++) {
      struct ck_activation_chunk *chunk = chunks[i];
      int b = at[i];
      chunk->d[b] = d[2 * i];
      if (group_size == 32)
        memcpy(has_bias ? (void *)(chunk->scaled_sum32 + b) : chunk->minus_sum32 + b, sums + 2 * i, 4);
      else memcpy(has_bias ? (void *)(chunk->scaled_sum16 + 2 * b) : chunk->minus_sum16 + 2 * b, sums + 2 * i, 8);
    }
  }
}

void CK_NAME(quantize_columns)(
    int group_size, int has_bias, const float *x, int64_t columns, int64_t tokens, int64_t first,
    struct ck_activation_chunk *to) {
  if (group_size == 32 && has_bias) CK_NAME(quantize_for)(32, 1, x, columns, tokens, first, to);
  else if (group_size == 32) CK_NAME(quantize_for)(32, 0, x, columns, tokens, first, to);
  else if (has_bias) CK_NAME(quantize_for)(16, 1, x, columns, tokens, first, to);
  else CK_NAME(quantize_for)(16, 0, x, columns, tokens, first, to);
}
#undef NEIGHBOURS
#undef EVENS
