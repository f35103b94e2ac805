// AVX2 with VNNI in 256 bits (AVX-VNNI): Alder Lake and later, which mostly have no AVX-512. Products of 8-bit
// integers; all other functions are those of ck_set_avx2.c.
#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_types.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c,avxvnni"))), apply_to = function)
#define CK_NAME(name) ck_avxvnni_##name
#define CK_BASE(name) ck_avx2_##name
#define CK_DOT_TILE 0
#define CK_TILE_TOKENS 6
#define CK_NIBBLE_SHIFT 0
#define CK_PEAK_INPUTS 1
#define CK_PEAK_SUMS 6
#define CK_TILE_GROUPS 1
#define CK_OWN_WIDEN
#include "ck_lanes.h"
#include "ck_avx2_lanes.h"

CK_INLINE ck_i16 ck_avxvnni_dot4(ck_i16 sum, ck_u16 w, int32_t x) {
  __m256i all = _mm256_set1_epi32(x);
  return (ck_i16)ck_avxvnni_join(
      _mm256_dpbusd_avx_epi32(LOW_HALF(sum), LOW_HALF(w), all),
      _mm256_dpbusd_avx_epi32(HIGH_HALF(sum), HIGH_HALF(w), all));
}

CK_INLINE ck_i16 ck_avxvnni_wide_dot4(ck_i16 sum, ck_u16 w, int32_t x) { return ck_avxvnni_dot4(sum, w, x); }
#define CK_WIDE_ZERO 128

#include "ck_pack_body.h"
#include "ck_unpack_body.h"

#include "ck_multiply_body.h"
#include "ck_peak_body.h"
#pragma clang attribute pop
#endif
