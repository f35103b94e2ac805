// Operations of the NEON sets; see ck_lanes.h and ck_multiply_body.h. With CK_HAS_DOTS they use the dot products of
// Armv8.2.

typedef int32_t CK_NAME(i4) __attribute__((vector_size(16)));
typedef int32_t CK_NAME(i8) __attribute__((vector_size(32)));

CK_INLINE ck_i16 CK_NAME(join)(int32x4_t p0, int32x4_t p1, int32x4_t p2, int32x4_t p3) {
  CK_NAME(i8) low = __builtin_shufflevector((CK_NAME(i4))p0, (CK_NAME(i4))p1, 0, 1, 2, 3, 4, 5, 6, 7);
  CK_NAME(i8) high = __builtin_shufflevector((CK_NAME(i4))p2, (CK_NAME(i4))p3, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

#define QUARTER(v, i) __builtin_shufflevector(v, v, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3)

CK_INLINE ck_v16 CK_NAME(widen)(const uint16_t *p) {
#define PART(i) vreinterpretq_s32_f32(vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p + 4 * i))))
  return (ck_v16)CK_NAME(join)(PART(0), PART(1), PART(2), PART(3));
#undef PART
}

CK_INLINE void CK_NAME(narrow)(ck_v16 v, uint16_t *out) {
#define PUT(i) vst1_u16(out + 4 * i, vreinterpret_u16_f16(vcvt_f16_f32((float32x4_t)QUARTER(v, i))))
  PUT(0), PUT(1), PUT(2), PUT(3);
#undef PUT
}

#ifdef CK_HAS_DOTS
#define CK_OWN_LOAD_X4
/// Four activations among the sixteen loaded together.
typedef struct {
  int8x16_t all;
  int lane;
} CK_NAME(x4);

CK_INLINE CK_NAME(x4) CK_NAME(load_x4)(const struct ck_activation_chunk *a, int column) {
  return (CK_NAME(x4)){vld1q_s8(a->q + column / 16 * 16), column / 4 % 4};
}

CK_INLINE int32x4_t CK_NAME(add_dots)(int32x4_t sum, int8x16_t w, CK_NAME(x4) x) {
  switch (x.lane) {
  case 0: return vdotq_laneq_s32(sum, w, x.all, 0);
  case 1: return vdotq_laneq_s32(sum, w, x.all, 1);
  case 2: return vdotq_laneq_s32(sum, w, x.all, 2);
  default: return vdotq_laneq_s32(sum, w, x.all, 3);
  }
}
#else
typedef int32_t CK_NAME(x4);

// Sums of two products fit 16 bits: 2 * 128 * 127.
CK_INLINE int32x4_t CK_NAME(add_dots)(int32x4_t sum, int8x16_t w, CK_NAME(x4) x) {
  int8x16_t all = vreinterpretq_s8_s32(vdupq_n_s32(x));
  int16x8_t low = vmull_s8(vget_low_s8(w), vget_low_s8(all)), high = vmull_high_s8(w, all);
  return vpadalq_s16(sum, vpaddq_s16(low, high));
}
#endif

/// Dot product after an XOR of each weight with `flip`, which turns weights stored plus 128 into signed ones.
CK_INLINE ck_i16 CK_NAME(flipped_dot4)(ck_i16 sum, ck_u16 w, CK_NAME(x4) x, uint8_t flip) {
  uint8x16_t bits = vdupq_n_u8(flip);
#define PART(i)     \
  CK_NAME(add_dots)((int32x4_t)QUARTER(sum, i), vreinterpretq_s8_u8(veorq_u8((uint8x16_t)QUARTER(w, i), bits)), x)
  return CK_NAME(join)(PART(0), PART(1), PART(2), PART(3));
#undef PART
}

CK_INLINE ck_i16 CK_NAME(dot4)(ck_i16 sum, ck_u16 w, CK_NAME(x4) x) { return CK_NAME(flipped_dot4)(sum, w, x, 0); }
CK_INLINE ck_i16 CK_NAME(wide_dot4)(ck_i16 sum, ck_u16 w, CK_NAME(x4) x) {
  return CK_NAME(flipped_dot4)(sum, w, x, 128);
}

#define CK_WIDE_ZERO 0

CK_INLINE ck_u16 CK_NAME(look_up)(const uint8_t *levels, ck_u16 w) {
  uint8x16_t table = vld1q_u8(levels);
#define PART(i) vreinterpretq_s32_u8(vqtbl1q_u8(table, (uint8x16_t)QUARTER(w, i)))
  return (ck_u16)CK_NAME(join)(PART(0), PART(1), PART(2), PART(3));
#undef PART
}

CK_INLINE int32x4_t CK_NAME(add_pair_dots)(int32x4_t sum, int16x8_t w, int16x8_t x) {
  int32x4_t low = vmull_s16(vget_low_s16(w), vget_low_s16(x));
  return vaddq_s32(sum, vpaddq_s32(low, vmull_high_s16(w, x)));
}

CK_INLINE ck_i16 CK_NAME(pair_dot)(ck_i16 sum, ck_i16 w, int32_t x) {
  int16x8_t all = vreinterpretq_s16_s32(vdupq_n_s32(x));
#define PART(i) CK_NAME(add_pair_dots)((int32x4_t)QUARTER(sum, i), (int16x8_t)QUARTER(w, i), all)
  return CK_NAME(join)(PART(0), PART(1), PART(2), PART(3));
#undef PART
}
