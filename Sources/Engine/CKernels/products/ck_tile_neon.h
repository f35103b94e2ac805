// Register tile of ck_multiply_body.h with plain NEON: products of 16 columns of one row and one token, accumulated by
// column in 16 bits and then in 32; the sums of four rows are combined at the end.
#define CK_OWN_TILE

/// Rearranges a panel from 4 columns of 16 rows in each line to 16 columns of 4 rows, as signed values with the zero
/// point subtracted: every accumulator starts from 0.
CK_INLINE void CK_NAME(arrange)(struct ck_traits t, int blocks32, ck_panel *panel) {
  uint8x16_t zero = vdupq_n_u8(t.zero_shift >= 0 ? (uint8_t)(1 << t.zero_shift) : 0);
  for (int j = 0; j < 8 * blocks32; j += 4) {
    uint32x4x4_t rows[4];
    CK_UNROLL
    for (int i = 0; i < 16; i++) {
      rows[i % 4].val[i / 4] = vreinterpretq_u32_u8(vsubq_u8(vld1q_u8(panel->q[j + i / 4] + 16 * (i % 4)), zero));
    }
    CK_UNROLL
    for (int r = 0; r < 4; r++) vst4q_u32((uint32_t *)panel->q[j + r], rows[r]);
  }
}

CK_INLINE int16x8_t CK_NAME(add_products)(int16x8_t sum, int8x16_t w, int8x16_t x) {
  return vmlal_high_s8(vmlal_s8(sum, vget_low_s8(w), vget_low_s8(x)), w, x);
}

/// Sums in each lane of products of 16 or 32 columns (`parts` times half a sub-block). Two products of -128 * 127 fit
/// 16 bits; so do four of weights that are not wide, which are at most 63.
CK_INLINE int32x4_t CK_NAME(row_products)(
    const int parts, const int is_wide, const int8x16_t *w, const int8x16_t *x) {
  int16x8_t sum = vmlal_high_s8(vmull_s8(vget_low_s8(w[0]), vget_low_s8(x[0])), w[0], x[0]);
  if (parts == 2) return vpaddlq_s16(sum);
  if (!is_wide) return vpaddlq_s16(CK_NAME(add_products)(sum, w[1], x[1]));
  int16x8_t other = vmlal_high_s8(vmull_s8(vget_low_s8(w[1]), vget_low_s8(x[1])), w[1], x[1]);
  return vpadalq_s16(vpaddlq_s16(sum), other);
}

/// Adds the products of rows 4 * quarter ..< 4 * quarter + 4 of a chunk of a panel with `tokens` tokens (a constant) to
/// their sums.
CK_INLINE void CK_NAME(quarter_tile)(
    const int group_size, const int is_wide, const int has_bias, const int tokens, const ck_panel *panel, int quarter,
    int blocks32, const struct ck_activation_chunk *a, float (*sums)[2][16]) {
  const int parts = group_size == 16 ? 2 : 1;
  float32x4_t sum[CK_TILE_TOKENS];
  CK_UNROLL
  for (int t = 0; t < tokens; t++) sum[t] = vld1q_f32(sums[t][0] + 4 * quarter);
  for (int b = 0; b < blocks32; b++) {
    float32x4_t part[CK_TILE_TOKENS];
    CK_UNROLL
    for (int h = 0; h < parts; h++) {
      int32x4_t pairs[CK_TILE_TOKENS], dot[CK_TILE_TOKENS];
      const uint8_t *words = panel->q[8 * b + 4 * h + quarter];
      CK_UNROLL
      for (int r = 0; r < 4; r += 2) {
        int8x16_t w[2][2];
        CK_UNROLL
        for (int i = 0; i < 2; i++) {
          w[i][0] = vreinterpretq_s8_u8(vld1q_u8(words + 16 * (r + i)));
          // The second half of the sub-block is 4 lines further.
          if (parts == 1) w[i][1] = vreinterpretq_s8_u8(vld1q_u8(words + 256 + 16 * (r + i)));
        }
        CK_UNROLL
        for (int t = 0; t < tokens; t++) {
          const int8_t *q = a[t].q + 32 * b + 16 * h;
          int8x16_t x[2] = {vld1q_s8(q)};
          if (parts == 1) x[1] = vld1q_s8(q + 16);
          int32x4_t two = vpaddq_s32(
              CK_NAME(row_products)(parts, is_wide, w[0], x), CK_NAME(row_products)(parts, is_wide, w[1], x));
          if (r == 0) pairs[t] = two;
          else dot[t] = vpaddq_s32(pairs[t], two);
        }
      }
      float32x4_t scale = vld1q_f32(panel->scale[parts * b + h] + 4 * quarter);
      CK_UNROLL
      for (int t = 0; t < tokens; t++) {
        float32x4_t value = vcvtq_f32_s32(dot[t]);
        part[t] = h == 0 ? vmulq_f32(value, scale) : vfmaq_f32(part[t], value, scale);
      }
    }
    CK_UNROLL
    for (int t = 0; t < tokens; t++) {
      sum[t] = vfmaq_n_f32(sum[t], part[t], a[t].d[b]);
      CK_UNROLL
      for (int h = 0; has_bias && h < parts; h++) {
        float scaled = parts == 1 ? a[t].scaled_sum32[b] : a[t].scaled_sum16[2 * b + h];
        sum[t] = vfmaq_n_f32(sum[t], vld1q_f32(panel->bias[parts * b + h] + 4 * quarter), scaled);
      }
    }
  }
  CK_UNROLL
  for (int t = 0; t < tokens; t++) vst1q_f32(sums[t][0] + 4 * quarter, sum[t]);
}

/// Adds the products of a chunk of a panel with `tokens` tokens (a constant) to sums (token, group, 16), and prefetches
/// the lines of `next`.
CK_INLINE void CK_NAME(tile)(
    const int group_size, const int is_wide, const int zero_shift, const int has_bias, const int groups,
    const int tokens, const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a, float (*sums)[2][16],
    struct ck_prefetch_lines next) {
  _Static_assert(CK_TILE_GROUPS == 1, "one panel");
  (void)zero_shift, (void)groups;
  for (int quarter = 0; quarter < 4; quarter++) {
    for (int i = 0; i < 2; i++) ck_prefetch_eighth(&next);
    CK_NAME(quarter_tile)(group_size, is_wide, has_bias, tokens, panels, quarter, blocks32, a, sums);
  }
}
