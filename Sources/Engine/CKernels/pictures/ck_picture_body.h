// Products and norms of pictures over sixteen lanes; see ck_lanes.h and ck_picture.h. The including file defines
// - CK_PRODUCT_TOKENS, CK_PRODUCT_GROUPS: tokens and groups of 16 rows of the register tile.

enum { CK_NAME(product_rows) = 16 * CK_PRODUCT_GROUPS };
_Static_assert(ck_product_tokens % CK_PRODUCT_TOKENS == 0, "whole tiles");

/// Accumulates one step of 16 rows and one token; `form` is a constant.
CK_INLINE ck_v16 CK_NAME(add_step)(const int form, ck_v16 sum, ck_u16 w, uint32_t x) {
  ck_u16 all = (ck_u16){0} + x;
  if (form == CK_FORM_BF16) return CK_NAME(pair_product)(sum, w, all);
  return CK_NAME(fma)((ck_v16)w, (ck_v16)all, sum);
}

/// Register tile: accumulates `steps` steps of `groups` groups of rows (a constant) and CK_PRODUCT_TOKENS tokens in
/// sums (token, stride).
CK_INLINE void CK_NAME(product_tile)(
    const int form, const int groups, const uint8_t *w, int64_t group_bytes, const uint8_t *const *x, int64_t offset,
    int64_t steps, int is_first, float *sums, int64_t stride) {
  ck_v16 sum[CK_PRODUCT_GROUPS][CK_PRODUCT_TOKENS];
  const uint8_t *place[CK_PRODUCT_TOKENS];
  for (int t = 0; t < CK_PRODUCT_TOKENS; t++) {
    place[t] = x[t] + offset;
    for (int g = 0; g < groups; g++) {
      sum[g][t] = is_first ? (ck_v16){0} : CK_NAME(load)(sums + t * stride + 16 * g);
    }
  }
  for (int64_t s = 0; s < steps; s++) {
    ck_u16 weights[CK_PRODUCT_GROUPS];
    for (int g = 0; g < groups; g++) weights[g] = CK_NAME(words)(w + g * group_bytes + 64 * s);
    for (int t = 0; t < CK_PRODUCT_TOKENS; t++) {
      uint32_t value;
      memcpy(&value, place[t] + 4 * s, 4);
      for (int g = 0; g < groups; g++) sum[g][t] = CK_NAME(add_step)(form, sum[g][t], weights[g], value);
    }
  }
  for (int t = 0; t < CK_PRODUCT_TOKENS; t++) {
    for (int g = 0; g < groups; g++) CK_NAME(store)(sums + t * stride + 16 * g, sum[g][t]);
  }
}

/// product_tile for any number of groups up to CK_PRODUCT_GROUPS, over all tokens.
CK_INLINE void CK_NAME(product_tiles)(
    const int form, int groups, const uint8_t *w, int64_t group_bytes, const uint8_t *const *x, int64_t offset,
    int64_t steps, int is_first, float *sums, int64_t stride, int64_t tokens) {
#define TILES(groups)                                                                                               \
  for (int64_t t = 0; t < tokens; t += CK_PRODUCT_TOKENS) {                                                         \
    CK_NAME(product_tile)(form, groups, w, group_bytes, x + t, offset, steps, is_first, sums + t * stride, stride); \
  }
#if CK_PRODUCT_GROUPS == 3
  if (groups == 3) {
    TILES(3)
  } else if (groups == 2) {
    TILES(2)
  } else {
    TILES(1)
  }
#else
  (void)groups;
  TILES(1)
#endif
#undef TILES
}

/// Accumulates all taps and channels of a panel of rows, in parts whose weights stay in L1 while the tokens pass.
CK_INLINE void CK_NAME(panel_form)(
    const int form, const struct ck_picture_product *p, int64_t group, int groups, const uint8_t *const *places,
    int64_t tokens, float *sums) {
  enum { limit = 160 };
  int64_t steps = form == CK_FORM_BF16 ? p->channels / 2 : p->channels;
  int64_t parts = (steps + limit - 1) / limit, width = (steps + parts - 1) / parts;
  const uint8_t *w = p->weights + group * p->group_bytes;
  for (int64_t tap = 0; tap < p->tap_count; tap++) {
    int64_t offset = p->taps[tap] * (form == CK_FORM_BF16 ? 2 : 4);
    for (int64_t s = 0; s < steps; s += width) {
      int64_t count = steps - s < width ? steps - s : width;
      CK_NAME(product_tiles)(
          form, groups, w + 64 * (tap * steps + s), p->group_bytes, places, offset + 4 * s, count, tap == 0 && s == 0,
          sums, CK_NAME(product_rows), tokens);
    }
  }
}

static void CK_NAME(panel)(
    const struct ck_picture_product *p, int64_t group, int groups, const uint8_t *const *places, int64_t tokens,
    float *sums) {
  if (p->form == CK_FORM_BF16) CK_NAME(panel_form)(CK_FORM_BF16, p, group, groups, places, tokens, sums);
  else CK_NAME(panel_form)(CK_FORM_F32, p, group, groups, places, tokens, sums);
}

/// Epilogue of a panel: adds the bias and the addend, applies the activation or gate, adds the residual and stores.
static void CK_NAME(panel_finish)(
    const struct ck_picture_product *p, int64_t group, int groups, int64_t first, int64_t count, const float *sums,
    const float *gates) {
  int64_t pixels = p->width * p->height;
  for (int64_t t = 0; t < count; t++) {
    int64_t token = first + t;
    int64_t start = token / p->width * p->out_row_stride + token % p->width * p->out_stride;
    for (int g = 0; g < groups; g++) {
      int64_t row = 16 * (group + g), valid = p->outputs - row;
      ck_v16 v = CK_NAME(load)(sums + t * CK_NAME(product_rows) + 16 * g) + CK_NAME(load)(p->bias + row);
      if (p->addend) v += CK_NAME(load_n)(p->addend + token / pixels * p->outputs + row, valid);
      if (p->activation >= 0) v = CK_NAME(activated)(p->activation, v);
      if (gates) {
        ck_v16 gate = CK_NAME(load)(gates + t * CK_NAME(product_rows) + 16 * g);
        gate += CK_NAME(load)(p->bias + 16 * p->gate_group + row);
        v *= CK_NAME(activated)(p->gate, gate);
      }
      int64_t place = start + row;
      if (p->residual) v += CK_NAME(load_n)(p->residual + place, valid);
      CK_NAME(store_n)(p->out + place, v, valid);
    }
  }
}

void CK_NAME(picture_multiply)(
    const struct ck_picture_product *p, int64_t first, int64_t count, int64_t first_group, int64_t group_count) {
  _Alignas(64) float sums[2][ck_product_tokens][CK_NAME(product_rows)];
  const uint8_t *places[ck_product_tokens];
  int64_t pixels = p->width * p->height, size = p->form == CK_FORM_BF16 ? 2 : 4;
  int64_t tokens = (count + CK_PRODUCT_TOKENS - 1) / CK_PRODUCT_TOKENS * CK_PRODUCT_TOKENS;
  for (int64_t t = 0; t < tokens; t++) {
    // The last tile is filled up with the last token.
    int64_t token = first + (t < count ? t : count - 1);
    int64_t y = token % pixels / p->width, x = token % p->width;
    places[t] = p->input + size * (token / pixels * p->picture_stride + y * p->row_stride + x * p->token_stride);
  }
  for (int64_t group = first_group; group < first_group + group_count; group += CK_PRODUCT_GROUPS) {
    int64_t left = first_group + group_count - group;
    int groups = left < CK_PRODUCT_GROUPS ? (int)left : CK_PRODUCT_GROUPS;
    CK_NAME(panel)(p, group, groups, places, tokens, sums[0][0]);
    if (p->gate >= 0) CK_NAME(panel)(p, p->gate_group + group, groups, places, tokens, sums[1][0]);
    CK_NAME(panel_finish)(p, group, groups, first, count, sums[0][0], p->gate >= 0 ? sums[1][0] : NULL);
  }
}

/// Stores up to 16 lanes in a form (a constant).
CK_INLINE void CK_NAME(store_form)(const int form, uint8_t *out, int64_t index, ck_v16 v, int64_t count) {
  if (form == CK_FORM_F32) {
    CK_NAME(store_n)((float *)out + index, v, count);
  } else {
    ck_h16 halves = CK_NAME(to_bf16)(v);
    memcpy(out + 2 * index, &halves, count >= 16 ? 32 : (size_t)(2 * count));
  }
}

/// Gathers value `first` of each row, and next to it value `second` where `size` (a constant) is 2.
CK_INLINE void CK_NAME(gather)(
    const int size, const uint8_t *rows, int64_t row, int64_t row_count, int64_t first, int64_t second, uint8_t *out) {
  for (int64_t r = 0; r < row_count; r++) {
    const uint8_t *place = rows + r * row * size;
    memcpy(out + 4 * r, place + first * size, (size_t)size);
    if (size == 2 && second >= 0) memcpy(out + 4 * r + 2, place + second * size, (size_t)size);
  }
}

void CK_NAME(picture_pack)(
    int form, float *rows, int64_t row_count, int64_t channels, int64_t taps, uint8_t *packed) {
  int64_t even = channels + channels % 2, row = channels * taps, steps = form == CK_FORM_BF16 ? even / 2 : even;
  memset(packed, 0, (size_t)(taps * steps * 64));
  if (form == CK_FORM_F32) {
    for (int64_t i = 0; i < row; i++) {
      uint8_t *out = packed + (i % taps * steps + i / taps) * 64;
      CK_NAME(gather)(4, (const uint8_t *)rows, row, row_count, i, -1, out);
    }
    return;
  }
  // BF16 overwrites values that have been read.
  for (int64_t i = 0; i < row_count * row; i += 16) {
    int64_t left = row_count * row - i;
    CK_NAME(store_form)(CK_FORM_BF16, (uint8_t *)rows, i, CK_NAME(load_n)(rows + i, left), left);
  }
  for (int64_t c = 0; c < channels; c += 2) {
    for (int64_t tap = 0; tap < taps; tap++) {
      int64_t first = c * taps + tap;
      CK_NAME(gather)(
          2, (const uint8_t *)rows, row, row_count, first, c + 1 < channels ? first + taps : -1,
          packed + (tap * steps + c / 2) * 64);
    }
  }
}

/// Packs one token; `form`, `is_layer` and `activation` are constants.
CK_INLINE void CK_NAME(pack_token)(
    const int form, const int is_layer, const int activation, const struct ck_input_packing *packing, const float *x,
    int64_t channels, uint8_t *out) {
  float mean = 0, factor = 1;
  if (is_layer) {
    ck_v16 sum = {0}, square = {0};
    for (int64_t i = 0; i < channels; i += 16) sum += CK_NAME(load_n)(x + i, channels - i);
    mean = CK_NAME(reduce_add)(sum) / (float)channels;
    for (int64_t i = 0; i < channels; i += 16) {
      ck_v16 d = CK_NAME(load_n)(x + i, channels - i) - mean;
      if (channels - i < 16) d = CK_NAME(load_n)((const float *)&d, channels - i);
      square = CK_NAME(fma)(d, d, square);
    }
    factor = 1.0f / __builtin_sqrtf(CK_NAME(reduce_add)(square) / (float)channels + packing->epsilon);
  }
  for (int64_t i = 0; i < channels; i += 16) {
    ck_v16 v = CK_NAME(load_n)(x + i, channels - i);
    if (is_layer) v = (v - mean) * factor;
    if (packing->scale) {
      v = CK_NAME(fma)(
          v, CK_NAME(load_n)(packing->scale + i, channels - i), CK_NAME(load_n)(packing->shift + i, channels - i));
    }
    if (activation >= 0) v = CK_NAME(activated)(activation, v);
    CK_NAME(store_form)(form, out, i, v, channels - i);
  }
  if (channels % 2) CK_NAME(store_form)(form, out, channels, (ck_v16){0}, 1);
}

void CK_NAME(picture_pack_input)(
    const struct ck_input_packing *packing, const float *x, int64_t x_stride, int64_t channels, int64_t count,
    int64_t repeat, uint8_t *out, int64_t out_stride) {
  int64_t size = packing->form == CK_FORM_BF16 ? 2 : 4, bytes = (channels + channels % 2) * size;
  for (int64_t t = 0; t < count; t++) {
    uint8_t *place = out + t * repeat * out_stride * size;
    const float *token = x + t * x_stride;
#define PACK(form, layer, activation) CK_NAME(pack_token)(form, layer, activation, packing, token, channels, place)
    if (packing->form == CK_FORM_BF16) {
      if (packing->is_layer_norm) PACK(CK_FORM_BF16, 1, packing->activation);
      else if (packing->activation == CK_SILU) PACK(CK_FORM_BF16, 0, CK_SILU);
      else if (packing->activation < 0) PACK(CK_FORM_BF16, 0, -1);
      else PACK(CK_FORM_BF16, 0, packing->activation);
    } else {
      PACK(CK_FORM_F32, packing->is_layer_norm, packing->activation);
    }
#undef PACK
    for (int64_t i = 1; i < repeat; i++) memcpy(place + i * out_stride * size, place, (size_t)bytes);
  }
}

typedef double CK_NAME(d8) __attribute__((vector_size(64)));

CK_INLINE CK_NAME(d8) CK_NAME(widen8)(const float *p) {
  CK_NAME(v8) v;
  memcpy(&v, p, sizeof v);
  return __builtin_convertvector(v, CK_NAME(d8));
}

/// Moments of 8 * `parts` channels (a constant): two cache lines at a time where there are as many channels.
CK_INLINE void CK_NAME(moments)(
    const int parts, const float *x, int64_t channels, int64_t count, double *sums, double *squares) {
  CK_NAME(d8) sum[4], square[4];
  memcpy(sum, sums, (size_t)parts * sizeof sum[0]);
  memcpy(square, squares, (size_t)parts * sizeof square[0]);
  for (int64_t t = 0; t < count; t++) {
    for (int i = 0; i < parts; i++) {
      CK_NAME(d8) v = CK_NAME(widen8)(x + t * channels + 8 * i);
      sum[i] += v;
      square[i] = __builtin_elementwise_fma(v, v, square[i]);
    }
  }
  memcpy(sums, sum, (size_t)parts * sizeof sum[0]);
  memcpy(squares, square, (size_t)parts * sizeof square[0]);
}

void CK_NAME(picture_moments)(const float *x, int64_t channels, int64_t count, double *sums, double *squares) {
  int64_t c = 0;
  for (; c + 32 <= channels; c += 32) CK_NAME(moments)(4, x + c, channels, count, sums + c, squares + c);
  for (; c + 8 <= channels; c += 8) CK_NAME(moments)(1, x + c, channels, count, sums + c, squares + c);
  for (; c < channels; c++) {
    for (int64_t t = 0; t < count; t++) {
      double v = x[t * channels + c];
      sums[c] += v;
      squares[c] = __builtin_fma(v, v, squares[c]);
    }
  }
}

void CK_NAME(picture_scale)(
    const float *x, const float *scale, const float *shift, int activation, int64_t channels, int64_t count,
    float *out) {
  for (int64_t t = 0; t < count; t++) {
    for (int64_t i = 0; i < channels; i += 16) {
      int64_t left = channels - i, place = t * channels + i;
      ck_v16 v = CK_NAME(fma)(
          CK_NAME(load_n)(x + place, left), CK_NAME(load_n)(scale + i, left), CK_NAME(load_n)(shift + i, left));
      if (activation >= 0) v = CK_NAME(activated)(activation, v);
      CK_NAME(store_n)(out + place, v, left);
    }
  }
}

int64_t CK_NAME(peak_bf16)(int64_t rounds, float *result) {
  enum { sums = CK_PRODUCT_GROUPS * CK_PRODUCT_TOKENS };
  ck_v16 sum[sums] = {0};
  ck_u16 w = (ck_u16){0} + 0x3f003f00u;
  for (int64_t r = 0; r < rounds; r++) {
    for (int step = 0; step < 8; step++) {
      uint32_t x = 0x3e803e80u;
      // The compiler must assume new operands in each step.
      __asm__ volatile("" : "+r"(x));
      for (int i = 0; i < sums; i++) sum[i] = CK_NAME(pair_product)(sum[i], w, (ck_u16){0} + x);
    }
  }
  ck_v16 total = {0};
  for (int i = 0; i < sums; i++) total += sum[i];
  *result = total[0];
  return rounds * 8 * sums * 32;
}

#include "ck_picture_attention_body.h"
