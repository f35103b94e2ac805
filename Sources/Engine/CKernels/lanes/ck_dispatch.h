// Dispatch of a call to the function of its instruction set. The including file defines CK_BF16_CALL(call): the
// function of the set with BF16 products, or the one it shares with AVX-512.
#ifndef CK_DISPATCH_H
#define CK_DISPATCH_H
#if defined(__x86_64__)
// AVX-VNNI shares all functions with AVX2 but those of DISPATCH_INT8.
#define DISPATCH(call)                            \
  switch (set) {                                  \
  case CK_AVX512_BF16: return CK_BF16_CALL(call); \
  case CK_AVX512: return ck_avx512_##call;        \
  case CK_AVX_VNNI:                               \
  case CK_AVX2: return ck_avx2_##call;            \
  default: return ck_scalar_##call;               \
  }
#define DISPATCH_INT8(call)                     \
  switch (set) {                                \
  case CK_AVX512_BF16:                          \
  case CK_AVX512: return ck_avx512_##call;      \
  case CK_AVX_VNNI: return ck_avxvnni_##call;   \
  case CK_AVX2: return ck_avx2_##call;          \
  default: return ck_scalar_##call;             \
  }
#elif defined(__aarch64__)
// The NEON sets share all functions but those of DISPATCH_INT8.
#define DISPATCH(call)                 \
  switch (set) {                       \
  case CK_NEON_I8MM:                   \
  case CK_NEON_DOT:                    \
  case CK_NEON: return ck_neon_##call; \
  default: return ck_scalar_##call;    \
  }
#define DISPATCH_INT8(call)                     \
  switch (set) {                                \
  case CK_NEON_I8MM: return ck_neoni8mm_##call; \
  case CK_NEON_DOT: return ck_neondot_##call;   \
  case CK_NEON: return ck_neon_##call;          \
  default: return ck_scalar_##call;             \
  }
#else
#define DISPATCH(call) \
  (void)set;           \
  return ck_scalar_##call;
#endif
#ifndef DISPATCH_INT8
#define DISPATCH_INT8 DISPATCH
#endif
#endif
