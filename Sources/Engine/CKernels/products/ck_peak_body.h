// Functions of ck_peak.h over sixteen lanes; see ck_lanes.h.

uint64_t CK_NAME(peak_read)(const uint8_t *p, int64_t bytes) {
  ck_u16 a = {0}, b = {0}, c = {0}, d = {0};
  int64_t i = 0;
  for (; i + 256 <= bytes; i += 256) {
    __builtin_prefetch(p + i + 2048);
    __builtin_prefetch(p + i + 2112);
    __builtin_prefetch(p + i + 2176);
    __builtin_prefetch(p + i + 2240);
    a += CK_NAME(words)(p + i);
    b += CK_NAME(words)(p + i + 64);
    c += CK_NAME(words)(p + i + 128);
    d += CK_NAME(words)(p + i + 192);
  }
  for (; i < bytes; i += 64) a += CK_NAME(words)(p + i);
  a += b + c + d;
  uint64_t sum = 0;
  for (int j = 0; j < 16; j++) sum += a[j];
  return sum;
}

#ifndef CK_OWN_PEAK_DOT
enum { CK_NAME(peak_products) = 64 };
CK_INLINE ck_i16 CK_NAME(peak_dot)(ck_i16 sum, ck_u16 w, int32_t x) { return CK_NAME(dot4)(sum, w, x); }
#endif

int64_t CK_NAME(peak_int8)(int64_t rounds, int32_t *result) {
  // Enough accumulators to hide the latency of a dot product, within the registers; and, where a dot product takes
  // several instructions, as many inputs, or their first instruction would be shared.
  enum { sums = CK_PEAK_SUMS };
  ck_i16 sum[sums] = {0};
  _Alignas(64) uint8_t weights[8][64];
  int32_t x[sums];
  memset(weights, 1, sizeof weights);
  memset(x, 1, sizeof x);
  for (int64_t r = 0; r < rounds; r++) {
    // The compiler must assume new operands in each round.
    __asm__ volatile("" : : "r"(weights), "r"(x) : "memory");
    // Unrolled on every set: the alignment of a short loop makes Zen 3 up to a third slower.
#pragma unroll
    for (int step = 0; step < 8; step++) {
      ck_u16 w = CK_NAME(words)(weights[step]);
      CK_UNROLL
      for (int i = 0; i < sums; i++) sum[i] = CK_NAME(peak_dot)(sum[i], w, x[i % CK_PEAK_INPUTS]);
    }
  }
  ck_i16 total = {0};
  CK_UNROLL
  for (int i = 0; i < sums; i++) total += sum[i];
  *result = total[0];
  return rounds * 8 * sums * CK_NAME(peak_products);
}

int64_t CK_NAME(peak_f32)(int64_t rounds, float *result) {
  enum { sums = CK_PEAK_SUMS };
  ck_v16 sum[sums] = {0};
  ck_v16 w = CK_NAME(splat)(0.5f), x = CK_NAME(splat)(0.25f);
  for (int64_t r = 0; r < rounds; r++) {
    CK_UNROLL
    for (int step = 0; step < 8; step++) {
      CK_UNROLL
      for (int i = 0; i < sums; i++) sum[i] = CK_NAME(fma)(sum[i], w, x);
    }
  }
  ck_v16 total = {0};
  CK_UNROLL
  for (int i = 0; i < sums; i++) total += sum[i];
  *result = total[0];
  return rounds * 8 * sums * 16;
}
