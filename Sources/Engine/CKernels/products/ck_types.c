#include "ck_types.h"

#include <string.h>

#include "ck_blocks.h"
#include "ck_panel.h"

#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#elif defined(__x86_64__)
#include <cpuid.h>

static int has_x86(int wanted) {
  unsigned a, b, c, d, b7, c7, d7;
  if (!__get_cpuid(1, &a, &b, &c, &d)) return 0;
  if (!(c >> 27 & 1)) return 0;  // OSXSAVE
  unsigned low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if (!__get_cpuid_count(7, 0, &a, &b7, &c7, &d7)) return 0;
  int fma = c >> 12 & 1, f16c = c >> 29 & 1, avx2 = b7 >> 5 & 1;
  int has_avx2 = (low & 6) == 6 && fma && f16c && avx2;
  if (wanted == CK_AVX2) return has_avx2;
  unsigned a71 = 0, b71, c71, d71;
  __get_cpuid_count(7, 1, &a71, &b71, &c71, &d71);
  if (wanted == CK_AVX_VNNI) return has_avx2 && (a71 >> 4 & 1);
  // AVX-512 F, DQ, BW, VL and VNNI: Cascade Lake, Zen 4 and later.
  int avx512 = (b7 >> 16 & 1) && (b7 >> 17 & 1) && (b7 >> 30 & 1) && (b7 >> 31 & 1) && (c7 >> 11 & 1);
  int has_avx512 = has_avx2 && (low & 0xe6) == 0xe6 && avx512;
  return has_avx512 && (wanted == CK_AVX512 || (a71 >> 5 & 1));
}

int ck_has_long_tiles(void) {
  enum { unknown, no, yes };
  static int known = unknown;
  int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (answer == unknown) {
    unsigned a, b, c, d;
    int is_intel = __get_cpuid(0, &a, &b, &c, &d) && b == signature_INTEL_ebx && d == signature_INTEL_edx
        && c == signature_INTEL_ecx;
    answer = is_intel ? yes : no;
    __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
  }
  return answer == yes;
}
#endif

int ck_set_is_available(int set) {
  if (set == CK_SCALAR) return 1;
#if defined(__x86_64__)
  if (set == CK_AVX2 || set == CK_AVX_VNNI || set == CK_AVX512 || set == CK_AVX512_BF16) return has_x86(set);
#elif defined(__aarch64__)
  int has_dots = (getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0;
  if (set == CK_NEON) return 1;
  if (set == CK_NEON_DOT) return has_dots;
  if (set == CK_NEON_I8MM) return has_dots && (getauxval(AT_HWCAP2) & HWCAP2_I8MM) != 0;
#endif
  return 0;
}

struct ck_traits ck_type_traits(int type) {
  switch (type) {
  case CK_F32: return (struct ck_traits){1, 4, 0, -1, 0};
  case CK_F16: return (struct ck_traits){1, 2, 0, -1, 0};
  case CK_BF16: return (struct ck_traits){1, 2, 0, -1, 0};
  case CK_I8: return (struct ck_traits){1, 1, 0, -1, 0};
  case CK_I16: return (struct ck_traits){1, 2, 0, -1, 0};
  case CK_I32: return (struct ck_traits){1, 4, 0, -1, 0};
  case CK_I64: return (struct ck_traits){1, 8, 0, -1, 0};
  case CK_F64: return (struct ck_traits){1, 8, 0, -1, 0};
  case CK_Q4_0: return (struct ck_traits){32, sizeof(ck_block_q4_0), 32, 3, 0};
  case CK_Q4_1: return (struct ck_traits){32, sizeof(ck_block_q4_1), 32, -1, 1, 3};
  case CK_Q5_0: return (struct ck_traits){32, sizeof(ck_block_q5_0), 32, 4, 0};
  case CK_Q5_1: return (struct ck_traits){32, sizeof(ck_block_q5_1), 32, -1, 1, 4};
  case CK_Q8_0: return (struct ck_traits){32, sizeof(ck_block_q8_0), 32, 7, 0};
  case CK_Q2_K: return (struct ck_traits){256, sizeof(ck_block_q2_k), 16, -1, 1, 1};
  case CK_Q3_K: return (struct ck_traits){256, sizeof(ck_block_q3_k), 16, 2, 0};
  case CK_Q4_K: return (struct ck_traits){256, sizeof(ck_block_q4_k), 32, -1, 1, 3};
  case CK_Q5_K: return (struct ck_traits){256, sizeof(ck_block_q5_k), 32, -1, 1, 4};
  case CK_Q6_K: return (struct ck_traits){256, sizeof(ck_block_q6_k), 16, 5, 0};
  case CK_IQ4_NL: return (struct ck_traits){32, sizeof(ck_block_iq4_nl), 32, 7, 0};
  case CK_IQ4_XS: return (struct ck_traits){256, sizeof(ck_block_iq4_xs), 32, 7, 0};
  case CK_MXFP4: return (struct ck_traits){32, sizeof(ck_block_mxfp4), 32, 7, 0};
  case CK_TQ1_0: return (struct ck_traits){256, sizeof(ck_block_tq1_0), 32, 0, 0};
  case CK_TQ2_0: return (struct ck_traits){256, sizeof(ck_block_tq2_0), 32, 0, 0};
  case CK_IQ2_XXS: return (struct ck_traits){256, sizeof(ck_block_iq2_xxs), 32, 7, 0};
  case CK_IQ2_XS: return (struct ck_traits){256, sizeof(ck_block_iq2_xs), 16, 7, 0};
  case CK_IQ2_S: return (struct ck_traits){256, sizeof(ck_block_iq2_s), 16, 7, 0};
  case CK_IQ3_XXS: return (struct ck_traits){256, sizeof(ck_block_iq3_xxs), 32, 7, 0};
  case CK_IQ3_S: return (struct ck_traits){256, sizeof(ck_block_iq3_s), 32, 7, 0};
  case CK_IQ1_S: return (struct ck_traits){256, sizeof(ck_block_iq1_s), 32, 7, 0};
  case CK_IQ1_M: return (struct ck_traits){256, sizeof(ck_block_iq1_m), 16, 7, 0};
  default: return (struct ck_traits){0, 0, 0, -1, 0};
  }
}

float ck_f16_to_f32(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ff, bits;
  if (exponent == 31) {
    bits = sign | 0x7f800000 | mantissa << 13;
  } else if (exponent != 0) {
    bits = sign | (exponent + 112) << 23 | mantissa << 13;
  } else {
    // Subnormal halves are exact multiples of 2^-24.
    float value = (float)mantissa * 0x1p-24f;
    memcpy(&bits, &value, 4);
    bits |= sign;
  }
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

uint16_t ck_f32_to_f16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  uint16_t sign = (uint16_t)(bits >> 16 & 0x8000);
  bits &= 0x7fffffff;
  if (bits > 0x7f800000) return sign | 0x7e00 | (uint16_t)(bits >> 13 & 0x1ff);
  if (bits >= 0x477ff000) return sign | 0x7c00;
  if (bits < 0x38800000) {
    // Below the smallest normal half: adding 0.5 rounds the value to a multiple of 2^-24 in the low bits.
    float shifted;
    memcpy(&shifted, &bits, 4);
    shifted += 0.5f;
    memcpy(&bits, &shifted, 4);
    return sign | (uint16_t)(bits - 0x3f000000);
  }
  return sign | (uint16_t)((bits - 0x38000000 + 0xfff + (bits >> 13 & 1)) >> 13);
}

float ck_bf16_to_f32(uint16_t value) {
  uint32_t bits = (uint32_t)value << 16;
  float result;
  memcpy(&result, &bits, 4);
  return result;
}

uint16_t ck_f32_to_bf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  if ((bits & 0x7fffffff) > 0x7f800000) return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
