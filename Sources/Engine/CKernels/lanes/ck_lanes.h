// Vectors of sixteen lanes, compiled once for each instruction set: the including file defines CK_NAME(name) and sets a
// target attribute. The compiler splits a vector where registers are shorter, so every set adds in the same order and,
// with fused multiply-add throughout, gives the same bits.
#include <stdint.h>
#include <string.h>

#include "ck_vector.h"

#ifndef CK_LANES_TYPES
#define CK_LANES_TYPES
typedef float ck_v16 __attribute__((vector_size(64)));
typedef int32_t ck_i16 __attribute__((vector_size(64)));
typedef uint32_t ck_u16 __attribute__((vector_size(64)));
typedef uint16_t ck_h16 __attribute__((vector_size(32)));
#define CK_INLINE static inline __attribute__((always_inline))
#endif

// Unrolls loops over the accumulators of a tile. Defined by sets for which the compiler would not unroll them and would
// keep the accumulators in memory.
#ifndef CK_UNROLL
#define CK_UNROLL
#endif

// Vectors wider than the registers are only passed between inlined functions.
#pragma clang diagnostic ignored "-Wpsabi"
#pragma STDC FP_CONTRACT OFF

CK_INLINE ck_v16 CK_NAME(load)(const float *p) {
  ck_v16 v;
  memcpy(&v, p, sizeof v);
  return v;
}

CK_INLINE ck_u16 CK_NAME(words)(const uint8_t *p) {
  ck_u16 v;
  memcpy(&v, p, sizeof v);
  return v;
}

CK_INLINE void CK_NAME(store)(float *p, ck_v16 v) { memcpy(p, &v, sizeof v); }

/// Loads the first `count` values, with zeros after them.
CK_INLINE ck_v16 CK_NAME(load_n)(const float *p, int64_t count) {
  if (count >= 16) return CK_NAME(load)(p);
#ifdef CK_HAS_MASKS
  return (ck_v16)_mm512_maskz_loadu_ps((__mmask16)((1u << count) - 1), p);
#else
  float part[16] = {0};
  memcpy(part, p, (size_t)count * sizeof(float));
  return CK_NAME(load)(part);
#endif
}

/// Stores the first `count` lanes.
CK_INLINE void CK_NAME(store_n)(float *p, ck_v16 v, int64_t count) {
  if (count >= 16) {
    CK_NAME(store)(p, v);
  } else {
#ifdef CK_HAS_MASKS
    _mm512_mask_storeu_ps(p, (__mmask16)((1u << count) - 1), (__m512)v);
#else
    memcpy(p, &v, (size_t)count * sizeof(float));
#endif
  }
}

CK_INLINE ck_v16 CK_NAME(splat)(float value) {
  // Subtracting zero changes no value, so this compiles to a plain broadcast.
  return value - (ck_v16){0};
}
CK_INLINE ck_v16 CK_NAME(fma)(ck_v16 a, ck_v16 b, ck_v16 c) { return __builtin_elementwise_fma(a, b, c); }
CK_INLINE ck_v16 CK_NAME(select)(ck_i16 mask, ck_v16 a, ck_v16 b) {
  return (ck_v16)((mask & (ck_i16)a) | (~mask & (ck_i16)b));
}
CK_INLINE ck_v16 CK_NAME(max)(ck_v16 a, ck_v16 b) { return CK_NAME(select)(a > b, a, b); }
CK_INLINE ck_v16 CK_NAME(min)(ck_v16 a, ck_v16 b) { return CK_NAME(select)(a < b, a, b); }

/// Converts F32 to integers: adding 1.5 * 2^23 to a value below 2^22 in magnitude leaves it, rounded to nearest even,
/// in the low bits.
#define CK_FLOAT_START 0x1.8p23f
enum { CK_NAME(float_start) = 0x4b400000 };

/// Rounds to the nearest integers (ties to even), clamped to -top...top with top below 2^22; NaN gives `top`.
CK_INLINE ck_i16 CK_NAME(to_integers)(ck_v16 v, float top) {
  v = CK_NAME(max)(CK_NAME(min)(v, CK_NAME(splat)(top)), CK_NAME(splat)(-top));
  return (ck_i16)(v + CK_FLOAT_START) - CK_NAME(float_start);
}

typedef float CK_NAME(v8) __attribute__((vector_size(32)));
typedef float CK_NAME(v4) __attribute__((vector_size(16)));

CK_INLINE CK_NAME(v8) CK_NAME(low8)(ck_v16 v) { return __builtin_shufflevector(v, v, 0, 1, 2, 3, 4, 5, 6, 7); }
CK_INLINE CK_NAME(v8) CK_NAME(high8)(ck_v16 v) { return __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15); }

/// Sum of all lanes, in a tree: lane i adds lane i + 8, then i + 4, i + 2, i + 1.
CK_INLINE float CK_NAME(reduce_add)(ck_v16 v) {
  CK_NAME(v8) a = CK_NAME(low8)(v) + CK_NAME(high8)(v);
  CK_NAME(v4) b = __builtin_shufflevector(a, a, 0, 1, 2, 3) + __builtin_shufflevector(a, a, 4, 5, 6, 7);
  return (b[0] + b[2]) + (b[1] + b[3]);
}

CK_INLINE float CK_NAME(reduce_max)(ck_v16 v) {
  CK_NAME(v8) a = __builtin_elementwise_max(CK_NAME(low8)(v), CK_NAME(high8)(v));
  CK_NAME(v4) c = __builtin_shufflevector(a, a, 0, 1, 2, 3), d = __builtin_shufflevector(a, a, 4, 5, 6, 7);
  c = __builtin_elementwise_max(c, d);
  float e = c[0] > c[2] ? c[0] : c[2], f = c[1] > c[3] ? c[1] : c[3];
  return e > f ? e : f;
}

/// e^x within 2.5 ULP: range reduction by ln 2 and a Taylor polynomial of degree 6.
/// Below -87.3 the result is 0, above 88.3 it stays at e^88.3.
CK_INLINE ck_v16 CK_NAME(exp)(ck_v16 x) {
  ck_i16 vanishes = x < CK_NAME(splat)(-87.3f);
  x = CK_NAME(min)(CK_NAME(max)(x, CK_NAME(splat)(-87.3f)), CK_NAME(splat)(88.3f));
  // The power of two moves from the low bits to the exponent.
  ck_v16 t = CK_NAME(fma)(x, CK_NAME(splat)(1.44269504f), CK_NAME(splat)(CK_FLOAT_START)), n = t - CK_FLOAT_START;
  ck_v16 r = CK_NAME(fma)(n, CK_NAME(splat)(-0.693359375f), x);
  r = CK_NAME(fma)(n, CK_NAME(splat)(2.12194440e-4f), r);
  ck_v16 p = CK_NAME(splat)(1.0f / 720);
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(1.0f / 120));
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(1.0f / 24));
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(1.0f / 6));
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(0.5f));
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(1.0f));
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(1.0f));
  ck_i16 result = (ck_i16)p + ((ck_i16)t << 23);
  return (ck_v16)(~vanishes & result);
}

CK_INLINE ck_v16 CK_NAME(sigmoid)(ck_v16 x) { return 1.0f / (1.0f + CK_NAME(exp)(-x)); }
CK_INLINE ck_v16 CK_NAME(tanh)(ck_v16 x) { return 1.0f - 2.0f / (CK_NAME(exp)(2.0f * x) + 1.0f); }

/// Error function within 4e-7, and exactly 1 from 3.7 on: x P(x^2) / Q(x^2), both of degree 5, fitted to minimize the
/// error of CK_GELU, which is below 1e-6.
CK_INLINE ck_v16 CK_NAME(erf)(ck_v16 x) {
  x = CK_NAME(min)(CK_NAME(max)(x, CK_NAME(splat)(-3.7f)), CK_NAME(splat)(3.7f));
  ck_v16 z = x * x, p = CK_NAME(splat)(2.17532147e-6f), q = CK_NAME(splat)(3.96461182e-5f);
  p = CK_NAME(fma)(p, z, CK_NAME(splat)(2.90122727e-4f));
  p = CK_NAME(fma)(p, z, CK_NAME(splat)(3.67405009e-3f));
  p = CK_NAME(fma)(p, z, CK_NAME(splat)(5.25067188e-2f));
  p = CK_NAME(fma)(p, z, CK_NAME(splat)(0.187341839f));
  p = CK_NAME(fma)(p, z, CK_NAME(splat)(1.12837934f));
  q = CK_NAME(fma)(q, z, CK_NAME(splat)(1.15347013e-3f));
  q = CK_NAME(fma)(q, z, CK_NAME(splat)(1.47857722e-2f));
  q = CK_NAME(fma)(q, z, CK_NAME(splat)(0.112990387f));
  q = CK_NAME(fma)(q, z, CK_NAME(splat)(0.499359488f));
  q = CK_NAME(fma)(q, z, CK_NAME(splat)(1.0f));
  return x * p / q;
}

/// Applies an activation of enum ck_activation.
CK_INLINE ck_v16 CK_NAME(activated)(int activation, ck_v16 a) {
  switch (activation) {
  case CK_SILU: return a * CK_NAME(sigmoid)(a);
  case CK_GELU: return 0.5f * a * (1.0f + CK_NAME(erf)(a * 0.70710678f));
  case CK_GELU_TANH: return a * CK_NAME(sigmoid)(1.59576912f * a * (1.0f + 0.044715f * a * a));
  case CK_GELU_QUICK: return a * CK_NAME(sigmoid)(1.702f * a);
  case CK_RELU: return CK_NAME(max)(a, CK_NAME(splat)(0));
  case CK_RELU2: return CK_NAME(max)(a, CK_NAME(splat)(0)) * CK_NAME(max)(a, CK_NAME(splat)(0));
  case CK_SIGMOID: return CK_NAME(sigmoid)(a);
  case CK_TANH: return CK_NAME(tanh)(a);
  case CK_EXP: return CK_NAME(exp)(a);
  default: return a;
  }
}

#ifndef CK_OWN_WIDEN
/// Converts F16 to F32, which is exact.
CK_INLINE ck_v16 CK_NAME(widen)(const uint16_t *p) {
  ck_h16 h;
  memcpy(&h, p, sizeof h);
  ck_u16 bits = __builtin_convertvector(h, ck_u16);
  ck_u16 sign = (bits & 0x8000) << 16, rest = (bits & 0x7fff) << 13;
  // A multiplication corrects the bias of the exponent, for subnormals too; infinities and NaN are handled apart.
  ck_v16 value = (ck_v16)rest * 0x1p112f;
  ck_u16 special = (ck_u16)((ck_i16)(rest >= 0x0f800000u)) & 0x7f800000u;
  return (ck_v16)((ck_u16)value | special | sign);
}
#endif

CK_INLINE ck_v16 CK_NAME(widen_bf16)(const uint16_t *p) {
  ck_h16 h;
  memcpy(&h, p, sizeof h);
  return (ck_v16)(__builtin_convertvector(h, ck_u16) << 16);
}

// A set with BF16 instructions defines CK_OWN_BF16 and both functions itself.
#ifndef CK_OWN_BF16
/// Converts F32 to BF16, rounding to nearest even.
CK_INLINE ck_h16 CK_NAME(to_bf16)(ck_v16 v) {
  ck_u16 bits = (ck_u16)v;
  ck_u16 rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  ck_i16 is_number = (bits & 0x7fffffff) <= 0x7f800000u;
  ck_u16 kept = (rounded & (ck_u16)is_number) | ((bits >> 16 | 0x40) & ~(ck_u16)is_number);
  return __builtin_convertvector(kept, ck_h16);
}

/// Adds the products of the two BF16 pairs in each lane, that of the upper halves first. Products are exact in F32, so
/// only the two additions round.
CK_INLINE ck_v16 CK_NAME(pair_product)(ck_v16 sum, ck_u16 w, ck_u16 x) {
  sum = CK_NAME(fma)((ck_v16)(w & 0xffff0000u), (ck_v16)(x & 0xffff0000u), sum);
  return CK_NAME(fma)((ck_v16)(w << 16), (ck_v16)(x << 16), sum);
}
#endif
