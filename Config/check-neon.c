// Compares the kernels of every NEON set of this machine with their scalar twins, bit by bit; see check-neon. The
// arguments are the numbers of the sets that the machine must have.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ck_attention.h"
#include "ck_multiply.h"
#include "ck_scan.h"
#include "ck_types.h"
#include "ck_vector.h"

// The second is the one that is compared.
static int sets[2] = {CK_SCALAR};
static int differences, comparisons;

static float some(void) { return (float)(rand() % 2001 - 1000) / 500; }

static float *some_floats(int64_t count) {
  float *x = malloc((size_t)count * sizeof *x);
  for (int64_t i = 0; i < count; i++) x[i] = some();
  return x;
}

static void *room(int64_t bytes) { return memset(aligned_alloc(64, ((size_t)bytes + 127) & ~63ul), 0, (size_t)bytes); }

static void compare(const char *name, int a, int b, const void *x, const void *y, int64_t bytes) {
  comparisons++;
  if (memcmp(x, y, (size_t)bytes) == 0) return;
  differences++;
  printf("set %d: %s differs (%d, %d)\n", sets[1], name, a, b);
}

/// Products of a matrix with `count` tokens, their inputs rounded as usual or finely (BF16 weights: as BF16 or not at all).
/// Every fifth token is at the ends of the range throughout. Some counts of tokens have a bias, some an activation.
static void compare_product(const struct ck_matrix *m, int count, int is_int16, const char *name) {
  float *x = some_floats(count * m->columns), *bias = some_floats(m->rows), *out[2];
  for (int64_t i = 0; i < count * m->columns; i++) {
    if (i / m->columns % 5 == 4) x[i] = rand() % 3 ? -2 : 2;
  }
  for (int s = 0; s < 2; s++) {
    struct ck_activations a = {.columns = m->columns, .count = count, .stride = count, .x = x};
    int64_t chunks = count * ((m->columns + 255) / 256);
    a.has_bf16_lines = m->type == CK_BF16 && !is_int16;
    if (ck_type_traits(m->type).group == 0) a.lines = room(count * ck_line_bytes(sets[s], a.has_bf16_lines, m->columns));
    else if (is_int16) a.int16 = room(chunks * (int64_t)sizeof *a.int16);
    else a.chunks = room(chunks * (int64_t)sizeof *a.chunks);
    ck_quantize_activations(sets[s], &a, 0, count);
    out[s] = room(count * m->rows * 4);
    // The second set asks for its weights ahead where that is one of two ways.
    struct ck_matrix matrix = *m;
    matrix.prefetch_far = 8192 * s;
    matrix.prefetch_near = 3072 * s;
    struct ck_output to = {out[s], m->rows, count % 2 ? bias : NULL, count % 3 ? -1 : CK_GELU};
    ck_multiply(sets[s], &matrix, 0, m->rows, &a, &to);
    free(a.chunks), free(a.int16), free(a.lines);
  }
  compare(name, m->type, count, out[0], out[1], count * m->rows * 4);
  free(x), free(bias), free(out[0]), free(out[1]);
}

static void compare_products(const struct ck_matrix *m, const char *name) {
  for (int count = 1; count <= 20; count++) compare_product(m, count, 0, name);
  compare_product(m, 37, 0, name);
  for (int count = 1; count <= 9; count++) compare_product(m, count, 1, "fine product");
}

/// Layout and products of a type; `low` are the bits that bytes of weights may have.
static void compare_type(int type, int64_t rows, int64_t columns, int low) {
  struct ck_traits t = ck_type_traits(type);
  if (columns % t.block_size) return;
  struct ck_matrix m = {.rows = rows, .columns = columns, .type = type};
  m.row_bytes = m.columns / t.block_size * t.block_bytes;
  uint8_t *stored = room(m.rows * m.row_bytes), *packed[2];
  for (int64_t i = 0; i < m.rows * m.row_bytes; i++) stored[i] = rand() & low;
  m.data = stored;
  compare_products(&m, "product as stored");
  int64_t groups = (rows + 15) / 16, bytes = groups * ck_packed_group_bytes(type, columns);
  for (int s = 0; s < 2 && bytes; s++) ck_pack(sets[s], &m, 0, groups, packed[s] = room(bytes));
  if (bytes) {
    compare("layout", type, (int)columns, packed[0], packed[1], bytes);
    m.data = packed[0];
    m.is_packed = 1;
    compare_products(&m, "product as laid out");
    free(packed[0]), free(packed[1]);
  }
  free(stored);
}

static void compare_quantized_types(void) {
  const int types[] = {
    CK_Q4_0, CK_Q4_1, CK_Q5_0, CK_Q5_1, CK_Q8_0, CK_IQ4_NL, CK_MXFP4, CK_Q2_K, CK_Q3_K, CK_Q4_K, CK_Q5_K, CK_Q6_K,
    CK_IQ4_XS, CK_TQ1_0, CK_TQ2_0, CK_IQ2_XXS, CK_IQ2_XS, CK_IQ2_S, CK_IQ3_XXS, CK_IQ3_S, CK_IQ1_S, CK_IQ1_M,
  };
  for (size_t k = 0; k < sizeof types / sizeof types[0]; k++) {
    // Without this bit no scale that is a half is infinite or not a number; without the sign its bytes are small.
    compare_type(types[k], 40, 512, 0xbf);
    compare_type(types[k], 7, 256, 0x3b);
    compare_type(types[k], 33, 288, 0xbf);
    // The ends of the range: Q8_0's weights are 0 and -128.
    compare_type(types[k], 16, 256, 0x80);
  }
}

static void compare_float_types(void) {
  const int types[] = {CK_F32, CK_F16, CK_BF16};
  for (int k = 0; k < 6; k++) {
    int type = types[k % 3], size = type == CK_F32 ? 4 : 2;
    struct ck_matrix m = {.rows = k < 3 ? 40 : 7, .columns = k < 3 ? 256 : 300, .type = type};
    m.row_bytes = m.columns * size;
    float *x = some_floats(m.rows * m.columns);
    uint16_t *halves = room(m.rows * m.columns * 2);
    for (int64_t i = 0; i < m.rows * m.columns; i++) memcpy(&halves[i], (uint8_t *)&x[i] + 2, 2);
    if (type == CK_F16) ck_f32_to_f16_array(CK_SCALAR, x, m.rows * m.columns, halves);
    m.data = type == CK_F32 ? (uint8_t *)x : (uint8_t *)halves;
    compare_products(&m, "product");
    free(x), free(halves);
  }
}

static void compare_vectors(void) {
  for (int n = 1; n < 200; n += 13) {
    float *x = some_floats(n), *y = some_floats(n), *z = some_floats(n);
#define COMPARE(name, detail, call)                \
  do {                                             \
    float both[2][200];                            \
    for (int s = 0; s < 2; s++) {                  \
      int set = sets[s];                           \
      float *out = memcpy(both[s], z, (size_t)n * 4); \
      call;                                        \
    }                                              \
    compare(name, n, detail, both[0], both[1], n * 4); \
  } while (0)
    COMPARE("RMS norm", 0, ck_rms_norm(set, x, y, 1e-5f, n, out));
    COMPARE("layer norm", 0, ck_layer_norm(set, x, y, z, 1e-5f, n, out));
    COMPARE("softmax", 0, ck_softmax(set, out, n));
    COMPARE("dot", 0, *out = ck_dot(set, x, y, n));
    COMPARE("sum", 0, ck_add(set, x, y, n, out));
    COMPARE("product of vectors", 0, ck_mul(set, x, y, n, out));
    COMPARE("scale", 0, ck_scale(set, x, 0.3f, n, out));
    COMPARE("scaled sum", 0, ck_add_scaled(set, x, 0.7f, n, out));
    COMPARE("limited SwiGLU", 0, ck_swiglu_limited(set, x, y, 1.702f, 7, n, out));
    for (int i = 0; i <= CK_EXP; i++) {
      COMPARE("activation", i, ck_activate(set, i, x, n, out));
      COMPARE("gate", i, ck_gate(set, i, x, y, n, out));
    }
    for (int i = 0; i < 2; i++) COMPARE("rotation", i, ck_rope(set, out, x, y, n / 2, i));
    uint16_t halves[2][200];
    for (int s = 0; s < 2; s++) ck_f32_to_f16_array(sets[s], x, n, halves[s]);
    compare("narrowing", n, 0, halves[0], halves[1], n * 2);
    COMPARE("widening", 0, ck_f16_to_f32_array(set, halves[0], n, out));
#undef COMPARE
    free(x), free(y), free(z);
  }
}

/// Every half that is a number or infinite, and numbers as far apart that are none.
static void compare_halves(void) {
  enum { count = 65536 };
  uint16_t *halves = room(2 * count), *narrow[2];
  float *floats = room(4 * count), *wide[2];
  for (uint32_t i = 0; i < count; i++) {
    uint32_t bits = (i & 0x7f80) == 0x7f80 ? i : i << 16 | (i & 1 ? 0x1000 : i * 40503 & 0xffff);
    halves[i] = (uint16_t)((i & 0x7c00) == 0x7c00 ? i & 0xfc00 : i);
    memcpy(&floats[i], &bits, 4);
  }
  for (int s = 0; s < 2; s++) {
    ck_f16_to_f32_array(sets[s], halves, count, wide[s] = room(4 * count));
    ck_f32_to_f16_array(sets[s], floats, count, narrow[s] = room(2 * count));
  }
  compare("widening of all halves", 0, 0, wide[0], wide[1], 4 * count);
  compare("narrowing of many numbers", 0, 0, narrow[0], narrow[1], 2 * count);
  free(halves), free(floats);
  for (int s = 0; s < 2; s++) free(wide[s]), free(narrow[s]);
}

/// One text's queries over a cache of one of its types.
static void compare_attention(int type, int dim, int group, int count) {
  enum { capacity = 192, length = 150 };
  float *keys = some_floats(length * dim), *values = some_floats(length * dim);
  float *queries = some_floats(count * group * dim), *out[2], *sinks = some_floats(group);
  int32_t first[20], end[20];
  for (int i = 0; i < count; i++) {
    first[i] = i % 3 == 2 ? 40 : 0;
    end[i] = length - count + i + 1;
  }
  for (int s = 0; s < 2; s++) {
    struct ck_cache cache = {.key_dim = dim, .value_dim = dim, .type = type};
    cache.keys = room(ck_cache_key_bytes(type, dim, capacity));
    cache.values = room(ck_cache_value_bytes(type, dim, capacity));
    ck_cache_store(sets[s], &cache, 0, length, keys, dim, values, dim);
    struct ck_attention a = {
      .cache = cache, .head_count = group, .queries = queries, .query_stride = group * dim,
      .out = out[s] = room(count * group * dim * 4), .out_stride = group * dim, .first = first, .end = end,
      .scale = 0.125f, .soft_cap = count > 1 ? 30 : 0, .sinks = dim == 128 ? sinks : NULL,
    };
    ck_attend(sets[s], &a, 0, count);
    free(cache.keys), free(cache.values);
  }
  compare("attention", 1000 * type + dim, 100 * group + count, out[0], out[1], count * group * dim * 4);
  free(keys), free(values), free(queries), free(sinks), free(out[0]), free(out[1]);
}

/// Sums of 8-bit products, at the ends of the range too.
static void compare_scans(void) {
  for (int width = 64; width <= 1024; width += 320) {
    enum { count = 13 };
    int8_t *rows = room(count * width), *query = room(width);
    float *scales = some_floats(count), scores[2][count];
    int32_t places[2][count] = {0};
    for (int i = 0; i < count * width; i++) rows[i] = i / width == 5 ? 127 : (int8_t)(rand() % 255 - 127);
    for (int i = 0; i < width; i++) query[i] = rand() % 2 ? -127 : 127;
    for (int s = 0; s < 2; s++) {
      ck_scan(sets[s], rows, scales, width, count, query, scores[s]);
      ck_scan_above(sets[s], scores[s], count, 0, places[s]);
    }
    compare("scan", width, 0, scores[0], scores[1], sizeof scores[0]);
    compare("places of a scan", width, 0, places[0], places[1], sizeof places[0]);
    free(rows), free(query), free(scales);
  }
}

int main(int argc, char **argv) {
  const int all[] = {CK_NEON, CK_NEON_DOT, CK_NEON_I8MM}, types[] = {CK_F32, CK_F16, CK_Q8_0}, dims[] = {64, 96, 128};
  for (int i = 0; i < 3; i++) {
    int is_wanted = argc == 1 && ck_set_is_available(all[i]);
    for (int k = 1; k < argc; k++) is_wanted |= atoi(argv[k]) == all[i];
    if (is_wanted != ck_set_is_available(all[i])) {
      printf("set %d is %s\n", all[i], is_wanted ? "missing" : "found where there is none");
      return 1;
    }
    if (!is_wanted) continue;
    sets[1] = all[i];
    comparisons = 0;
    compare_quantized_types();
    compare_float_types();
    compare_vectors();
    compare_halves();
    compare_scans();
    for (int k = 0; k < 9; k++) {
      for (int group = 1; group <= 7; group += 3) {
        compare_attention(types[k / 3], dims[k % 3], group, 1);
        compare_attention(types[k / 3], dims[k % 3], group, 20);
      }
    }
    printf("set %d: %d results compared with the scalar ones\n", all[i], comparisons);
  }
  if (differences) printf("%d results differ\n", differences);
  return differences != 0;
}
