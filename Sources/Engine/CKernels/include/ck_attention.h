#ifndef CK_ATTENTION_H
#define CK_ATTENTION_H
#include <stdint.h>

/// Positions of the KV cache in one block, and the largest head dimension.
enum { ck_attention_block = 64, ck_attention_dim_limit = 512 };
/// Largest number of rows (queries of the heads that share a head of keys) computed together: a multiple of 16.
enum { ck_attention_rows = 96 };

/// KV cache of one head.
///
/// The capacity is a multiple of 64 positions; positions not yet stored may hold any bytes.
/// Positions lie in groups of 16 in `keys`, so that one load reads one dimension of 16 positions:
/// - F32, F16: (group, key_dim, 16)
/// - Q8_0: (group, key_dim / 32) of { half scale[16]; int8 value[32][16]; }
/// and one after another in `values`: F32, F16: (position, value_dim); Q8_0: (position, value_dim / 32) blocks.
struct ck_cache {
  uint8_t *keys;
  uint8_t *values;
  int64_t key_dim;
  int64_t value_dim;
  int32_t type;  // CK_F32, CK_F16 or CK_Q8_0 (dimensions then multiples of 32)
};

/// Size of the keys, or values, of `capacity` positions (a multiple of 16), in bytes.
int64_t ck_cache_key_bytes(int type, int64_t dim, int64_t capacity);
int64_t ck_cache_value_bytes(int type, int64_t dim, int64_t capacity);
/// Stores the keys (count, key_dim) and values (count, value_dim) of positions `first ..< first + count`; strides are
/// floats from one position to the next.
void ck_cache_store(
    int set, const struct ck_cache *cache, int64_t first, int64_t count, const float *keys, int64_t key_stride,
    const float *values, int64_t value_stride);
/// Loads the key (key_dim,) and value (value_dim,) of one position as F32.
void ck_cache_load(const struct ck_cache *cache, int64_t position, float *key, float *value);

/// Queries of the heads that share one head of the KV cache (grouped-query attention).
struct ck_attention {
  struct ck_cache cache;
  int64_t head_count;         // query heads that share the cache
  const float *queries;       // query t of head h at t * query_stride + h * key_dim
  int64_t query_stride;
  float *out;                 // result t of head h at t * out_stride + h * value_dim
  int64_t out_stride;
  const int32_t *first;       // (queries,) the first position each query sees
  const int32_t *end;         // (queries,) one past the last position each query sees
  float scale;                // factor of the scores
  float soft_cap;             // then score = cap * tanh(score / cap), where it is not 0
  const float *sinks;         // (head_count,) a score that takes part in the softmax without a value; or NULL
};

/// Softmax attention of queries `first_query ..< first_query + count` over the cached positions.
/// Positions are taken in blocks of 64 counted from 0, so a result does not depend on the queries computed with it.
/// A query that sees no position gives zeros.
void ck_attend(int set, const struct ck_attention *attention, int64_t first_query, int64_t count);

#endif
