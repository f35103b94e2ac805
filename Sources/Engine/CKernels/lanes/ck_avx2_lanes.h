// Operations of the sets with registers of eight lanes; see ck_lanes.h.

CK_INLINE ck_v16 CK_NAME(widen)(const uint16_t *p) {
  CK_NAME(v8) low = (CK_NAME(v8))_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)p));
  CK_NAME(v8) high = (CK_NAME(v8))_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(p + 8)));
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

#define LOW_HALF(v) (__m256i) __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7)
#define HIGH_HALF(v) (__m256i) __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15)

CK_INLINE void CK_NAME(narrow)(ck_v16 v, uint16_t *out) {
  __m128i low = _mm256_cvtps_ph((__m256)LOW_HALF(v), _MM_FROUND_TO_NEAREST_INT);
  __m128i high = _mm256_cvtps_ph((__m256)HIGH_HALF(v), _MM_FROUND_TO_NEAREST_INT);
  _mm_storeu_si128((__m128i *)out, low);
  _mm_storeu_si128((__m128i *)(out + 8), high);
}

CK_INLINE ck_u16 CK_NAME(join)(__m256i low, __m256i high) {
  CK_NAME(v8) a = (CK_NAME(v8))low, b = (CK_NAME(v8))high;
  return (ck_u16)__builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

CK_INLINE ck_u16 CK_NAME(look_up)(const uint8_t *levels, ck_u16 w) {
  __m256i table = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)levels));
  return CK_NAME(join)(_mm256_shuffle_epi8(table, LOW_HALF(w)), _mm256_shuffle_epi8(table, HIGH_HALF(w)));
}

// Largest batch multiplied straight from the packed form (see ck_small_batch_tile.h): smaller for types whose weights
// are assembled from several bit fields, again for every tile.
#define CK_SMALL_BATCH_LIMIT 10
#define CK_SMALL_BATCH_OF(type) \
  ((type) == CK_Q2_K || (type) == CK_Q3_K || (type) == CK_Q6_K ? 4 : (type) == CK_Q5_K ? 6 : CK_SMALL_BATCH_LIMIT)

// Keeps the compiler from sinking a sum below a branch to its use, where there are no registers for its operands.
#define CK_AT_ONCE(sum)                                   \
  do {                                                    \
    __m256i low = LOW_HALF(sum), high = HIGH_HALF(sum);   \
    __asm__ volatile("" : "+x"(low), "+x"(high));         \
    sum = (ck_i16)CK_NAME(join)(low, high);               \
  } while (0)
