// Register tile of ck_multiply_body.h for sets with an instruction for dot4. It keeps enough integer accumulators in
// flight to hide their latency; the work done once for 32 columns counts as well, for it takes the same ports. A set
// defines
// - CK_DOT_TILE: 1 if its registers hold the accumulators of both halves of a sub-block, which then alternate, or 0;
// - CK_LONG_TILE: number of tokens of long tiles, of one group of 16 rows, where it has them (two thirds of that for
//   types with a scale for 16 values). They use each activation as a memory operand: a quarter fewer instructions,
//   which counts where hyper-threads share a core;
// - CK_IN_ORDER(sum), where it multiplies straight from the packed form: keeps the compiler from moving uses of a sum.

#ifndef CK_IN_ORDER
#define CK_IN_ORDER(sum)
#endif

#include "ck_tile_source.h"

#ifdef CK_LONG_TILE
enum { CK_NAME(most_tokens) = CK_LONG_TILE };
#else
enum { CK_NAME(most_tokens) = CK_TILE_TOKENS };
#endif

typedef int32_t CK_NAME(i32x8) __attribute__((vector_size(32)));

/// Initial values of the integer accumulators of each sub-block, or of its halves. The first accumulator starts from
/// the bits of an F32, so that its sum (at most 32 * 255 * 127) can be read as an F32.
CK_INLINE void CK_NAME(tile_starts)(
    const int group_size, const int zero, const int tokens, const struct ck_activation_chunk *a,
    int32_t (*starts)[16]) {
  const int f = CK_NAME(float_start);
  // Loops over values would be vectorized as gathers across tokens.
  CK_UNROLL
  for (int t = 0; t < tokens; t++) {
    if (group_size == 16) {
      ck_i16 start;
      memcpy(&start, a[t].minus_sum16, sizeof start);
      start = start * zero + (ck_i16){f, 0, f, 0, f, 0, f, 0, f, 0, f, 0, f, 0, f, 0};
      memcpy(starts[t], &start, sizeof start);
    } else {
      CK_NAME(i32x8) start;
      memcpy(&start, a[t].minus_sum32, sizeof start);
      start = start * zero + f;
      memcpy(starts[t], &start, sizeof start);
    }
  }
}

/// Adds the products of sub-block b of `groups` panels with `tokens` tokens to their sums.
CK_INLINE void CK_NAME(tile_block)(
    const CK_NAME(tile_source) *source, const int group_size, const int is_wide, const int has_bias, const int groups,
    const int tokens, const ck_panel *panels, const struct ck_activation_chunk *a, int b, int32_t (*starts)[16],
    ck_v16 (*sum)[CK_NAME(most_tokens)]) {
  const int halves = 32 / group_size, steps = 8 / halves;
  // Activations, scales and sums as if sub-block b were the first. A long tile needs these addresses in registers: a
  // memory operand with an index register would take another micro-operation.
  const struct ck_activation_chunk *inputs = (const void *)((const char *)a + 32 * b);
  const struct ck_activation_chunk *scaled = (const void *)((const char *)a + 4 * b);
  const struct ck_activation_chunk *summed = (const void *)((const char *)a + 4 * halves * b);
  if (tokens > CK_TILE_TOKENS) __asm__("" : "+r"(inputs), "+r"(scaled), "+r"(summed));
  ck_i16 dot[2][2][CK_NAME(most_tokens)];
  CK_UNROLL
  for (int h = 0; h < halves; h++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      int32_t start = has_bias ? h == 0 ? CK_NAME(float_start) : 0 : starts[t][halves * b + h];
      for (int g = 0; g < groups; g++) dot[h][g][t] = (ck_i16){0} + start;
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++) {
    const int h = CK_DOT_TILE ? i % halves : i / steps, step = CK_DOT_TILE ? steps * h + i / halves : i;
    ck_u16 w[2];
    CK_NAME(prefetch_step)(source, b, i);
    for (int g = 0; g < groups; g++) w[g] = CK_NAME(tile_weights)(source, panels, g, b, step);
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      CK_NAME(x4) x = CK_NAME(load_x4)(inputs + t, 4 * step);
      for (int g = 0; g < groups; g++) {
        dot[h][g][t] = is_wide ? CK_NAME(wide_dot4)(dot[h][g][t], w[g], x) : CK_NAME(dot4)(dot[h][g][t], w[g], x);
      }
    }
  }
  ck_v16 part[2][CK_NAME(most_tokens)];
  for (int g = 0; g < groups; g++) {
    // Converts and scales in one FMA: (start + i) * scale - start * scale, rounded once, is i * scale rounded, for a
    // scale is an F16 times a small integer, or a power of two, and start * scale is exact.
    ck_v16 scale = CK_NAME(load)(panels[g].scale[halves * b]), minus = scale * -CK_FLOAT_START;
    CK_UNROLL
    for (int t = 0; t < tokens; t++) part[g][t] = CK_NAME(fma)((ck_v16)dot[0][g][t], scale, minus);
  }
  for (int g = 0; g < groups && halves == 2; g++) {
    ck_v16 scale = CK_NAME(load)(panels[g].scale[2 * b + 1]);
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      part[g][t] = CK_NAME(fma)(__builtin_convertvector(dot[1][g][t], ck_v16), scale, part[g][t]);
    }
  }
  for (int g = 0; g < groups; g++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      ck_v16 with = CK_NAME(fma)(part[g][t], CK_NAME(splat)(scaled[t].d[0]), sum[g][t]);
      sum[g][t] = has_bias ? CK_NAME(add_bias)(group_size, panels[g].bias + halves * b, summed + t, 0, with) : with;
    }
  }
}

/// Adds the products of a chunk of `groups` panels with `tokens` tokens to sums (token, group, 16). Prefetches the
/// lines of `next` and those of `count` (a constant) tokens at `coming`.
CK_INLINE void CK_NAME(tile_and_prefetch)(
    const CK_NAME(tile_source) *source, const int group_size, const int is_wide, const int zero_shift,
    const int has_bias, const int groups, const int tokens, const ck_panel *panels, int blocks32,
    const struct ck_activation_chunk *a, float (*sums)[2][16], struct ck_prefetch_lines next,
    const struct ck_activation_chunk *coming, const int count) {
  ck_v16 sum[2][CK_NAME(most_tokens)];
  _Alignas(64) int32_t starts[CK_NAME(most_tokens)][16];
  const int zero = CK_NAME(zero)(is_wide, zero_shift, has_bias);
  // Cache lines of an activation chunk that this product reads; the sums behind them serve other types.
  typedef struct ck_activation_chunk input;
  const size_t read = group_size == 32 ? has_bias ? offsetof(input, minus_sum32) : offsetof(input, minus_sum16)
                                       : has_bias ? offsetof(input, padding) : offsetof(input, scaled_sum16);
  const int lines = (int)(read + 63) / 64;
  if (!has_bias) CK_NAME(tile_starts)(group_size, zero, tokens, a, starts);
  for (int g = 0; g < groups; g++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) sum[g][t] = CK_NAME(load)(sums[t][g]);
  }
  const int together = CK_NAME(tile_together)(source);
  for (int first = 0; first < blocks32; first += together) {
#pragma unroll
    for (int s = 0; s < together; s++) {
      const int b = first | s;
      // One line of each: the tokens of a chunk stream through the cache once for every 16 or 32 rows.
      if (b < lines) {
        CK_UNROLL
        for (int t = 0; t < count; t++) __builtin_prefetch((const uint8_t *)(coming + t) + 64 * b);
      }
      if (source->type == CK_NAME(in_panels)) ck_prefetch_eighth(&next);
      CK_NAME(tile_block)(source, group_size, is_wide, has_bias, groups, tokens, panels, a, b, starts, sum);
      // Else operands of one sub-block would be kept while another is multiplied, for which there are no registers.
      for (int g = 0; g < groups && together > 1; g++) {
        CK_UNROLL
        for (int t = 0; t < tokens; t++) CK_IN_ORDER(sum[g][t]);
      }
    }
  }
  for (int g = 0; g < groups; g++) {
    CK_UNROLL
    for (int t = 0; t < tokens; t++) CK_NAME(store)(sums[t][g], sum[g][t]);
  }
}
