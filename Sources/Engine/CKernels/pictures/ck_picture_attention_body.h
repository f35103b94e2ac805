// ck_picture_attend over sixteen lanes; see ck_lanes.h and ck_picture_body.h.

enum { CK_NAME(head_stride) = ck_picture_head_limit + 16 };

typedef struct {
  _Alignas(64) uint8_t queries[ck_picture_queries][4 * CK_NAME(head_stride)];
  float scores[ck_picture_queries][ck_picture_keys];
  uint8_t weights[ck_picture_queries][4 * ck_picture_keys];
  float sums[ck_picture_queries][CK_NAME(head_stride)];
  float total[ck_picture_queries][16];  // sum of weights, lane by lane
  float top[ck_picture_queries];
  const uint8_t *query_places[ck_picture_queries], *weight_places[ck_picture_queries];
} CK_NAME(picture_attention_state);

/// Packs sixteen keys to (step, key), and their values to (group of 16 dimensions, step of keys, dimension).
CK_INLINE void CK_NAME(pack_keys_form)(const int form, const struct ck_picture_attention *a, int64_t group) {
  uint8_t rows[16][4 * CK_NAME(head_stride)];
  struct ck_input_packing packing = {.activation = -1, .form = form};
  int64_t dims = a->head_size + a->head_size % 2, steps = form == CK_FORM_BF16 ? dims / 2 : dims;
  int64_t first = 16 * group, left = a->key_count - first < 16 ? a->key_count - first : 16;
  for (int r = 0; r < 16; r++) {
    if (r < left) {
      const float *key = a->keys + (first + r) * a->key_stride;
      CK_NAME(pack_token)(form, 0, -1, &packing, key, a->head_size, rows[r]);
    } else {
      memset(rows[r], 0, (size_t)(4 * steps));
    }
  }
  uint8_t *keys = a->packed_keys + group * steps * 64;
  for (int64_t s = 0; s < steps; s++) {
    for (int r = 0; r < 16; r++) memcpy(keys + 64 * s + 4 * r, rows[r] + 4 * s, 4);
  }
  int64_t all_keys = (a->key_count + 15) / 16 * 16, group_bytes = all_keys * (form == CK_FORM_BF16 ? 32 : 64);
  for (int64_t d = 0; d < a->head_size; d += 16) {
    uint8_t *values = a->packed_values + d / 16 * group_bytes + first * (form == CK_FORM_BF16 ? 32 : 64);
    ck_v16 even = {0};
    for (int r = 0; r < 16; r++) {
      const float *row = a->values + (first + r) * a->value_stride + d;
      ck_v16 v = r < left ? CK_NAME(load_n)(row, a->head_size - d) : (ck_v16){0};
      if (form == CK_FORM_F32) {
        CK_NAME(store)((float *)values + 16 * r, v);
      } else if (r % 2 == 0) {
        even = v;
      } else {
        ck_u16 low = __builtin_convertvector(CK_NAME(to_bf16)(even), ck_u16);
        ck_u16 pairs = low | __builtin_convertvector(CK_NAME(to_bf16)(v), ck_u16) << 16;
        memcpy(values + 32 * (r - 1), &pairs, sizeof pairs);
      }
    }
  }
}

void CK_NAME(picture_pack_keys)(const struct ck_picture_attention *a, int64_t group) {
  if (a->form == CK_FORM_BF16) CK_NAME(pack_keys_form)(CK_FORM_BF16, a, group);
  else CK_NAME(pack_keys_form)(CK_FORM_F32, a, group);
}

/// 2^x for x <= 0 within 1e-4, less than the rounding of BF16; below -126 as at -126.
CK_INLINE ck_v16 CK_NAME(exp2_approx)(ck_v16 x) {
  x = CK_NAME(max)(x, CK_NAME(splat)(-126.0f));
  // Adding 1.5 * 2^23 leaves the nearest integer in the low bits.
  ck_v16 shifted = x + 12582912.0f;
  ck_v16 r = x - (shifted - 12582912.0f);
  ck_v16 p = CK_NAME(fma)(CK_NAME(splat)(0.0551716672f), r, CK_NAME(splat)(0.242611122f));
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(0.693260986f));
  p = CK_NAME(fma)(p, r, CK_NAME(splat)(0.999928074f));
  return (ck_v16)((ck_i16)p + (ck_i16)((ck_u16)shifted << 23));
}

CK_INLINE ck_v16 CK_NAME(weight_of)(const int form, ck_v16 score, float scale, float top) {
  ck_v16 x = CK_NAME(fma)(score, CK_NAME(splat)(scale), CK_NAME(splat)(-top * scale));
  return form == CK_FORM_BF16 ? CK_NAME(exp2_approx)(x) : CK_NAME(exp)(x);
}

/// Online softmax of one query with a block: turns scores into weights relative to the highest score so far, and
/// rescales the sums before; `scale` is that of weight_of.
CK_INLINE void CK_NAME(softmax_row)(
    const int form, CK_NAME(picture_attention_state) *s, int q, int64_t visible, int64_t keys, int64_t dims,
    float scale) {
  const ck_i16 lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  const ck_v16 lowest = CK_NAME(splat)(-__builtin_inff());
  if (visible <= 0) {
    memset(s->weights[q], 0, (size_t)(keys * (form == CK_FORM_BF16 ? 2 : 4)));
    return;
  }
  const float *scores = s->scores[q];
  int64_t whole = visible / 16 * 16;
  ck_i16 last = lanes < (int32_t)(visible - whole);
  ck_v16 highest = lowest;
  ck_v16 other = lowest;
  int64_t k = 0;
  for (; k + 32 <= whole; k += 32) {
    highest = CK_NAME(max)(CK_NAME(load)(scores + k), highest);
    other = CK_NAME(max)(CK_NAME(load)(scores + k + 16), other);
  }
  if (k < whole) other = CK_NAME(max)(CK_NAME(load)(scores + k), other);
  highest = CK_NAME(max)(other, highest);
  if (whole < visible) highest = CK_NAME(max)(CK_NAME(select)(last, CK_NAME(load)(scores + whole), lowest), highest);
  float before = s->top[q], top = CK_NAME(reduce_max)(highest);
  top = top > before ? top : before;
  ck_v16 total = CK_NAME(load)(s->total[q]);
  if (top > before && before > -__builtin_inff()) {
    ck_v16 factor = CK_NAME(splat)(CK_NAME(weight_of)(form, CK_NAME(splat)(before), scale, top)[0]);
    for (int64_t d = 0; d < dims; d += 16) {
      CK_NAME(store)(s->sums[q] + d, CK_NAME(load)(s->sums[q] + d) * factor);
    }
    total *= factor;
  }
  s->top[q] = top;
  for (k = 0; k < whole; k += 16) {
    ck_v16 p = CK_NAME(weight_of)(form, CK_NAME(load)(scores + k), scale, top);
    total += p;
    CK_NAME(store_form)(form, s->weights[q], k, p, 16);
  }
  if (k < visible) {
    ck_v16 p = (ck_v16)(last & (ck_i16)CK_NAME(weight_of)(form, CK_NAME(load)(scores + k), scale, top));
    total += p;
    CK_NAME(store_form)(form, s->weights[q], k, p, 16);
    k += 16;
  }
  for (; k < keys; k += 16) CK_NAME(store_form)(form, s->weights[q], k, (ck_v16){0}, 16);
  CK_NAME(store)(s->total[q], total);
}

CK_INLINE void CK_NAME(attend_form)(
    const int form, const struct ck_picture_attention *a, int64_t first, int64_t count) {
  CK_NAME(picture_attention_state) s;
  struct ck_input_packing packing = {.activation = -1, .form = form};
  int64_t dims = (a->head_size + 15) / 16 * 16, even = a->head_size + a->head_size % 2;
  int64_t steps = form == CK_FORM_BF16 ? even / 2 : even, key_bytes = form == CK_FORM_BF16 ? 32 : 64;
  int64_t all_keys = (a->key_count + 15) / 16 * 16;
  int64_t tokens = (count + CK_PRODUCT_TOKENS - 1) / CK_PRODUCT_TOKENS * CK_PRODUCT_TOKENS;
  for (int64_t q = 0; q < tokens; q++) {
    int64_t query = q < count ? q : count - 1;
    if (q < count) {
      const float *x = a->queries + (first + q) * a->query_stride;
      CK_NAME(pack_token)(form, 0, -1, &packing, x, a->head_size, s.queries[q]);
    }
    s.query_places[q] = s.queries[query];
    s.weight_places[q] = s.weights[query];
    s.top[q] = -__builtin_inff();
    CK_NAME(store)(s.total[q], (ck_v16){0});
  }
  // BF16 uses 2^x instead of e^x.
  float scale = form == CK_FORM_BF16 ? a->scale * 1.44269504f : a->scale;
  int64_t end = a->is_causal && first + count < a->key_count ? first + count : a->key_count;
  for (int64_t k = 0; k < end; k += ck_picture_keys) {
    int64_t left = all_keys - k, keys = left < ck_picture_keys ? left : ck_picture_keys;
    for (int64_t g = 0; g < keys / 16; g += CK_PRODUCT_GROUPS) {
      int64_t rest = keys / 16 - g;
      CK_NAME(product_tiles)(
          form, rest < CK_PRODUCT_GROUPS ? (int)rest : CK_PRODUCT_GROUPS, a->packed_keys + (k / 16 + g) * steps * 64,
          steps * 64, s.query_places, 0, steps, 1, s.scores[0] + 16 * g, ck_picture_keys, tokens);
    }
    for (int q = 0; q < count; q++) {
      int64_t visible = a->is_causal && first + q + 1 < a->key_count ? first + q + 1 : a->key_count;
      visible = visible - k < keys ? visible - k : keys;
      CK_NAME(softmax_row)(form, &s, q, visible, keys, dims, scale);
    }
    for (int64_t g = 0; g < dims / 16; g += CK_PRODUCT_GROUPS) {
      int64_t rest = dims / 16 - g;
      CK_NAME(product_tiles)(
          form, rest < CK_PRODUCT_GROUPS ? (int)rest : CK_PRODUCT_GROUPS,
          a->packed_values + g * all_keys * key_bytes + k * key_bytes, all_keys * key_bytes, s.weight_places, 0,
          keys * key_bytes / 64, k == 0, s.sums[0] + 16 * g, CK_NAME(head_stride), tokens);
    }
  }
  for (int64_t q = 0; q < count; q++) {
    float factor = 1.0f / CK_NAME(reduce_add)(CK_NAME(load)(s.total[q]));
    float *out = a->out + (first + q) * a->out_stride;
    for (int64_t d = 0; d < a->head_size; d += 16) {
      CK_NAME(store_n)(out + d, CK_NAME(load)(s.sums[q] + d) * factor, a->head_size - d);
    }
  }
}

void CK_NAME(picture_attend)(const struct ck_picture_attention *a, int64_t first, int64_t count) {
  if (a->form == CK_FORM_BF16) CK_NAME(attend_form)(CK_FORM_BF16, a, first, count);
  else CK_NAME(attend_form)(CK_FORM_F32, a, first, count);
}
