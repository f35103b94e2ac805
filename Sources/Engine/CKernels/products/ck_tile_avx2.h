// Register tile of ck_multiply_body.h with AVX2, eight rows to a register: products are accumulated in 16 bits as long
// as they fit, which takes half the multiplications.
#define CK_OWN_TILE
#include "ck_tile_source.h"

/// Splits weights stored plus 128 into magnitudes and signs. The sums of the magnitudes of negative weights, as
/// integers, take the place of the biases, which those types do not have: the initial values of wide_dots.
CK_INLINE void CK_NAME(arrange)(struct ck_traits t, int blocks32, ck_panel *panel) {
  if (t.zero_shift != 7) return;
  const __m256i middle = _mm256_set1_epi8(-128);
  const int steps = t.group / 4;
  for (int group = 0; group < 8 * blocks32 / steps; group++) {
    for (int i = 0; i < 2; i++) {
      __m256i start = _mm256_setzero_si256();
      for (int j = 0; j < steps; j++) {
        __m256i *place = (__m256i *)(panel->q[steps * group + j] + 32 * i), w = _mm256_load_si256(place);
        __m256i pairs = _mm256_maddubs_epi16(_mm256_subs_epu8(middle, w), _mm256_set1_epi8(1));
        start = _mm256_add_epi32(start, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
        w = _mm256_xor_si256(w, middle);
        _mm256_store_si256(place, _mm256_abs_epi8(w));
        __m256i sign = _mm256_cmpgt_epi8(_mm256_setzero_si256(), w);
        _mm256_store_si256((__m256i *)(panel->signs[steps * group + j] + 32 * i), sign);
      }
      memcpy(panel->bias[group] + 8 * i, &start, sizeof start);
    }
  }
}

CK_INLINE __m256i CK_NAME(broadcast4)(const int8_t *q) {
  int32_t four;
  memcpy(&four, q, 4);
  return _mm256_set1_epi32(four);
}

/// Integer sums of sub-block b, or half h of it, for signed weights w: w * x is |w| * x, or |w| * (-x - 1) + |w| where
/// w is negative; the accumulators start from the sum of those |w|. Sums of two products fit 16 bits: from 2 * 128 *
/// -128 to 2 * 127 * 127.
CK_INLINE void CK_NAME(wide_dots)(
    const int group_size, const int tokens, const ck_panel *panel, const struct ck_activation_chunk *a, int b, int h,
    __m256i (*total)[CK_TILE_TOKENS]) {
  const int steps = group_size / 4, group = 32 / group_size * b + h, column = group_size * group;
  const __m256i(*sizes)[2] = (const __m256i(*)[2])panel->q[steps * group];
  const __m256i(*signs)[2] = (const __m256i(*)[2])panel->signs[steps * group];
  for (int i = 0; i < 2; i++) {
    __m256i start = _mm256_load_si256((const __m256i *)(panel->bias[group] + 8 * i));
    for (int t = 0; t < tokens; t++) total[i][t] = start;
  }
  for (int j = 0; j < steps; j++) {
    for (int i = 0; i < 2; i++) {
      for (int t = 0; t < tokens; t++) {
        __m256i x = _mm256_xor_si256(CK_NAME(broadcast4)(a[t].q + column + 4 * j), signs[j][i]);
        __m256i pairs = _mm256_maddubs_epi16(sizes[j][i], x);
        total[i][t] = _mm256_add_epi32(total[i][t], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
      }
    }
  }
}

/// wide_dots straight from the packed form.
CK_INLINE void CK_NAME(wide_packed_dots)(
    const CK_NAME(tile_source) *source, const int group_size, const int tokens, const ck_panel *panel,
    const struct ck_activation_chunk *a, int b, int h, __m256i (*total)[CK_TILE_TOKENS]) {
  const int steps = group_size / 4;
  for (int t = 0; t < tokens; t++) total[0][t] = total[1][t] = _mm256_setzero_si256();
#pragma unroll
  for (int j = steps * h; j < steps * h + steps; j++) {
    CK_NAME(prefetch_step)(source, b, j);
    ck_u16 lines = CK_NAME(tile_weights)(source, panel, 0, b, j) ^ 0x80808080;
    __m256i w[2] = {LOW_HALF(lines), HIGH_HALF(lines)};
    for (int t = 0; t < tokens; t++) {
      __m256i x = CK_NAME(broadcast4)(a[t].q + 32 * b + 4 * j);
      for (int i = 0; i < 2; i++) {
        __m256i pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(w[i]), _mm256_sign_epi8(x, w[i]));
        total[i][t] = _mm256_add_epi32(total[i][t], _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
      }
    }
  }
}

/// Integer sums (half of the rows, token) of sub-block b, or half h of it, for `tokens` tokens.
CK_INLINE void CK_NAME(tile_dots)(
    const CK_NAME(tile_source) *source, const int group_size, const int zero_shift, const int has_bias,
    const int tokens, const ck_panel *panel, const struct ck_activation_chunk *a, int b, int h,
    __m256i (*total)[CK_TILE_TOKENS]) {
  const int steps = group_size / 4, most = 129 / ((2 << zero_shift) - 1);
  // Number of pairs of products, of a weight below 2 << zero_shift with at most 127, whose sum stays below 32768.
  const int together = most < steps ? most : steps;
  const __m256i ones = _mm256_set1_epi16(1);
  for (int t = 0; t < tokens; t++) {
    __m256i zeros = _mm256_setzero_si256();
    if (!has_bias) {
      zeros = _mm256_set1_epi32(group_size == 16 ? a[t].minus_sum16[2 * b + h] : a[t].minus_sum32[b]);
      // Else the compiler multiplies before it broadcasts, which takes more instructions.
      __asm__("" : "+x"(zeros));
      zeros = _mm256_slli_epi32(zeros, zero_shift);
    }
    total[0][t] = total[1][t] = zeros;
  }
#pragma unroll
  for (int first = steps * h; first < steps * h + steps; first += together) {
    __m256i dot[2][CK_TILE_TOKENS];
    if (together <= 2) {
      __m256i w[2][2];
      for (int j = 0; j < together; j++) {
        CK_NAME(prefetch_step)(source, b, first + j);
        ck_u16 line = CK_NAME(tile_weights)(source, panel, 0, b, first + j);
        w[j][0] = LOW_HALF(line);
        w[j][1] = HIGH_HALF(line);
        __asm__("" : "+x"(w[j][0]), "+x"(w[j][1]));
      }
      // Token after token, also for the compiler: the weights and the 32-bit sums stay in registers.
      for (int t = 0; t < tokens; t++) {
        for (int i = 0; i < 2; i++) {
          __m256i pairs = _mm256_setzero_si256();
          for (int j = 0; j < together; j++) {
            __m256i x = CK_NAME(broadcast4)(a[t].q + 32 * b + 4 * (first + j));
            pairs = _mm256_add_epi16(pairs, _mm256_maddubs_epi16(w[j][i], x));
          }
          total[i][t] = _mm256_add_epi32(total[i][t], _mm256_madd_epi16(pairs, ones));
          __asm__("" : "+x"(total[i][t]));
        }
      }
      continue;
    }
#pragma unroll
    for (int j = first; j < first + together; j++) {
      CK_NAME(prefetch_step)(source, b, j);
      ck_u16 line = CK_NAME(tile_weights)(source, panel, 0, b, j);
      __m256i w[2] = {LOW_HALF(line), HIGH_HALF(line)};
      for (int t = 0; t < tokens; t++) {
        __m256i x = CK_NAME(broadcast4)(a[t].q + 32 * b + 4 * j);
        for (int i = 0; i < 2; i++) {
          __m256i pairs = _mm256_maddubs_epi16(w[i], x);
          dot[i][t] = j == first ? pairs : _mm256_add_epi16(dot[i][t], pairs);
          // Else the compiler adds in another order, for which there are no registers.
          __asm__("" : "+x"(dot[i][t]));
        }
      }
    }
    for (int t = 0; t < tokens; t++) {
      for (int i = 0; i < 2; i++) {
        total[i][t] = _mm256_add_epi32(total[i][t], _mm256_madd_epi16(dot[i][t], ones));
      }
    }
  }
}

/// Adds the products of sub-block b with `tokens` tokens to their sums.
CK_INLINE void CK_NAME(tile_block)(
    const CK_NAME(tile_source) *source, const int group_size, const int is_wide, const int zero_shift,
    const int has_bias, const int tokens, const ck_panel *panel, const struct ck_activation_chunk *a, int b,
    float (*sums)[2][16]) {
  const int halves = 32 / group_size;
  __m256 part[2][CK_TILE_TOKENS];
#pragma unroll
  for (int h = 0; h < halves; h++) {
    __m256i total[2][CK_TILE_TOKENS];
    if (!is_wide) CK_NAME(tile_dots)(source, group_size, zero_shift, has_bias, tokens, panel, a, b, h, total);
    else if (source->type == CK_NAME(in_panels)) CK_NAME(wide_dots)(group_size, tokens, panel, a, b, h, total);
    else CK_NAME(wide_packed_dots)(source, group_size, tokens, panel, a, b, h, total);
    for (int i = 0; i < 2; i++) {
      __m256 scale = _mm256_load_ps(panel->scale[halves * b + h] + 8 * i);
      for (int t = 0; t < tokens; t++) {
        __m256 value = _mm256_cvtepi32_ps(total[i][t]);
        part[i][t] = h == 0 ? value * scale : _mm256_fmadd_ps(value, scale, part[i][t]);
      }
    }
  }
  for (int t = 0; t < tokens; t++) {
    __m256 d = _mm256_set1_ps(a[t].d[b]);
    for (int i = 0; i < 2; i++) {
      float *place = sums[t][0] + 8 * i;
      __m256 sum = _mm256_fmadd_ps(part[i][t], d, _mm256_load_ps(place));
      for (int h = 0; has_bias && h < halves; h++) {
        __m256 scaled = _mm256_set1_ps(halves == 1 ? a[t].scaled_sum32[b] : a[t].scaled_sum16[2 * b + h]);
        sum = _mm256_fmadd_ps(scaled, _mm256_load_ps(panel->bias[halves * b + h] + 8 * i), sum);
      }
      _mm256_store_ps(place, sum);
    }
  }
}

/// Adds the products of a chunk of a panel with `tokens` tokens (a constant) to sums (token, group, 16). Prefetches the
/// lines of `next` and those of `count` (a constant) tokens at `coming`.
CK_INLINE void CK_NAME(tile_and_prefetch)(
    const CK_NAME(tile_source) *source, const int group_size, const int is_wide, const int zero_shift,
    const int has_bias, const int groups, const int tokens, const ck_panel *panel, int blocks32,
    const struct ck_activation_chunk *a, float (*sums)[2][16], struct ck_prefetch_lines next,
    const struct ck_activation_chunk *coming, const int count) {
  _Static_assert(CK_TILE_GROUPS == 1, "one panel");
  (void)groups;
  const int together = CK_NAME(tile_together)(source);
  for (int first = 0; first < blocks32; first += together) {
#pragma unroll
    for (int s = 0; s < together; s++) {
      const int b = first | s;
      for (int t = 0; t < count; t++) __builtin_prefetch((const uint8_t *)(coming + t) + 64 * b);
      if (source->type == CK_NAME(in_panels)) ck_prefetch_eighth(&next);
      // Else the compiler keeps copies of the sums on the stack, for lack of registers.
      __asm__ volatile("" ::: "memory");
      CK_NAME(tile_block)(source, group_size, is_wide, zero_shift, has_bias, tokens, panel, a, b, sums);
    }
  }
}
