// Register tile of ck_multiply_body.h with matrix products (SMMLA): one instruction adds the products of 8 columns of
// two tokens and two rows to sums (token, row).
#define CK_OWN_TILE
#define CK_OWN_PEAK_DOT
enum { CK_NAME(peak_products) = 128 };

CK_INLINE ck_i16 CK_NAME(peak_dot)(ck_i16 sum, ck_u16 w, int32_t x) {
  int8x16_t tokens = vreinterpretq_s8_s32(vdupq_n_s32(x));
#define PART(i) vmmlaq_s32((int32x4_t)QUARTER(sum, i), tokens, (int8x16_t)QUARTER(w, i))
  return CK_NAME(join)(PART(0), PART(1), PART(2), PART(3));
#undef PART
}

/// Rearranges a panel from 4 columns of 16 rows in each line to 8 columns of 2 rows in each 16 bytes, as signed values
/// with the zero point subtracted: every accumulator starts from 0.
CK_INLINE void CK_NAME(arrange)(struct ck_traits t, int blocks32, ck_panel *panel) {
  uint8x16_t zero = vdupq_n_u8(t.zero_shift >= 0 ? (uint8_t)(1 << t.zero_shift) : 0);
  for (int j = 0; j < 8 * blocks32; j += 2) {
    uint32x4_t first[4], second[4];
    CK_UNROLL
    for (int i = 0; i < 4; i++) {
      first[i] = vreinterpretq_u32_u8(vsubq_u8(vld1q_u8(panel->q[j] + 16 * i), zero));
      second[i] = vreinterpretq_u32_u8(vsubq_u8(vld1q_u8(panel->q[j + 1] + 16 * i), zero));
    }
    CK_UNROLL
    for (int i = 0; i < 4; i++) {
      uint8_t *out = panel->q[j + i / 2] + 32 * (i % 2);
      vst1q_u8(out, vreinterpretq_u8_u32(vzip1q_u32(first[i], second[i])));
      vst1q_u8(out + 16, vreinterpretq_u8_u32(vzip2q_u32(first[i], second[i])));
    }
  }
}

/// Combines values (token, four rows) of two tokens to (token, two rows), and back.
CK_INLINE float32x4_t CK_NAME(firsts)(float32x4_t a, float32x4_t b) {
  return vreinterpretq_f32_f64(vzip1q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}
CK_INLINE float32x4_t CK_NAME(seconds)(float32x4_t a, float32x4_t b) {
  return vreinterpretq_f32_f64(vzip2q_f64(vreinterpretq_f64_f32(a), vreinterpretq_f64_f32(b)));
}

/// Broadcasts the factors of two tokens to two rows each.
CK_INLINE float32x4_t CK_NAME(factors)(float first, float second) {
  return vcombine_f32(vdup_n_f32(first), vdup_n_f32(second));
}

/// Loads the scales or biases of four pairs of rows, each repeated for two tokens.
CK_INLINE void CK_NAME(row_pairs)(const float *p, float32x4_t *out) {
  CK_UNROLL
  for (int r = 0; r < 4; r += 2) {
    float64x2_t two = vreinterpretq_f64_f32(vld1q_f32(p + 2 * r));
    out[r] = vreinterpretq_f32_f64(vdupq_laneq_f64(two, 0));
    out[r + 1] = vreinterpretq_f32_f64(vdupq_laneq_f64(two, 1));
  }
}

/// Index of the second token of pair p: an odd last token is paired with itself.
CK_INLINE int CK_NAME(partner)(int p, int tokens) { return 2 * p + (2 * p + 1 < tokens); }

/// Adds the products of rows 8 * half ..< 8 * half + 8 of a chunk of a panel with `tokens` tokens (a constant) to their
/// sums.
CK_INLINE void CK_NAME(half_tile)(
    const int group_size, const int has_bias, const int tokens, const ck_panel *panel, int half, int blocks32,
    const struct ck_activation_chunk *a, float (*sums)[2][16]) {
  enum { most = (CK_TILE_TOKENS + 1) / 2 };
  const int pairs = (tokens + 1) / 2, parts = group_size == 16 ? 2 : 1;
  float32x4_t sum[most][4];
  CK_UNROLL
  for (int p = 0; p < pairs; p++) {
    const float *x = sums[2 * p][0] + 8 * half, *y = sums[CK_NAME(partner)(p, tokens)][0] + 8 * half;
    CK_UNROLL
    for (int r = 0; r < 4; r += 2) {
      sum[p][r] = CK_NAME(firsts)(vld1q_f32(x + 2 * r), vld1q_f32(y + 2 * r));
      sum[p][r + 1] = CK_NAME(seconds)(vld1q_f32(x + 2 * r), vld1q_f32(y + 2 * r));
    }
  }
  for (int b = 0; b < blocks32; b++) {
    float32x4_t part[most][4], rows[4];
    CK_UNROLL
    for (int h = 0; h < parts; h++) {
      int32x4_t dot[most][4];
      CK_UNROLL
      for (int p = 0; p < pairs; p++) {
        CK_UNROLL
        for (int r = 0; r < 4; r++) dot[p][r] = vdupq_n_s32(0);
      }
      CK_UNROLL
      for (int i = 2 / parts * h; i < 2 / parts * (h + 1); i++) {
        int64x2_t x[most][2];
        CK_UNROLL
        for (int p = 0; p < pairs; p++) {
          int64x2_t q = vreinterpretq_s64_s8(vld1q_s8(a[2 * p].q + 32 * b + 16 * i));
          int64x2_t other = vreinterpretq_s64_s8(vld1q_s8(a[CK_NAME(partner)(p, tokens)].q + 32 * b + 16 * i));
          x[p][0] = vzip1q_s64(q, other);
          x[p][1] = vzip2q_s64(q, other);
        }
        CK_UNROLL
        for (int j = 0; j < 8; j++) {
          int8x16_t w = vreinterpretq_s8_u8(vld1q_u8(panel->q[8 * b + 4 * i + 2 * (j / 4) + half] + 16 * (j % 4)));
          CK_UNROLL
          for (int p = 0; p < pairs; p++) {
            dot[p][j % 4] = vmmlaq_s32(dot[p][j % 4], vreinterpretq_s8_s64(x[p][j / 4]), w);
          }
        }
      }
      CK_NAME(row_pairs)(panel->scale[parts * b + h] + 8 * half, rows);
      CK_UNROLL
      for (int p = 0; p < pairs; p++) {
        CK_UNROLL
        for (int r = 0; r < 4; r++) {
          float32x4_t value = vcvtq_f32_s32(dot[p][r]);
          part[p][r] = h == 0 ? vmulq_f32(value, rows[r]) : vfmaq_f32(part[p][r], value, rows[r]);
        }
      }
    }
    CK_UNROLL
    for (int p = 0; p < pairs; p++) {
      float32x4_t d = CK_NAME(factors)(a[2 * p].d[b], a[CK_NAME(partner)(p, tokens)].d[b]);
      CK_UNROLL
      for (int r = 0; r < 4; r++) sum[p][r] = vfmaq_f32(sum[p][r], part[p][r], d);
    }
    CK_UNROLL
    for (int h = 0; has_bias && h < parts; h++) {
      CK_NAME(row_pairs)(panel->bias[parts * b + h] + 8 * half, rows);
      CK_UNROLL
      for (int p = 0; p < pairs; p++) {
        const struct ck_activation_chunk *x = a + 2 * p, *y = a + CK_NAME(partner)(p, tokens);
        float32x4_t scaled = parts == 1 ? CK_NAME(factors)(x->scaled_sum32[b], y->scaled_sum32[b])
                                        : CK_NAME(factors)(x->scaled_sum16[2 * b + h], y->scaled_sum16[2 * b + h]);
        CK_UNROLL
        for (int r = 0; r < 4; r++) sum[p][r] = vfmaq_f32(sum[p][r], scaled, rows[r]);
      }
    }
  }
  CK_UNROLL
  for (int p = 0; p < pairs; p++) {
    float *x = sums[2 * p][0] + 8 * half, *y = sums[CK_NAME(partner)(p, tokens)][0] + 8 * half;
    CK_UNROLL
    for (int r = 0; r < 4; r += 2) {
      vst1q_f32(x + 2 * r, CK_NAME(firsts)(sum[p][r], sum[p][r + 1]));
      vst1q_f32(y + 2 * r, CK_NAME(seconds)(sum[p][r], sum[p][r + 1]));
    }
  }
}

/// Adds the products of a chunk of a panel with `tokens` tokens (a constant) to sums (token, group, 16), and prefetches
/// the lines of `next`.
CK_INLINE void CK_NAME(tile)(
    const int group_size, const int is_wide, const int zero_shift, const int has_bias, const int groups,
    const int tokens, const ck_panel *panels, int blocks32, const struct ck_activation_chunk *a, float (*sums)[2][16],
    struct ck_prefetch_lines next) {
  _Static_assert(CK_TILE_GROUPS == 1, "one panel");
  (void)is_wide, (void)zero_shift, (void)groups;
  for (int half = 0; half < 2; half++) {
    for (int i = 0; i < 4; i++) ck_prefetch_eighth(&next);
    CK_NAME(half_tile)(group_size, has_bias, tokens, panels, half, blocks32, a, sums);
  }
}
