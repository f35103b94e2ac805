#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_attention.h"
#include "ck_types.h"
#include "ck_vector.h"
#pragma clang attribute push(__attribute__((target("avx2,fma,f16c"))), apply_to = function)
#define CK_NAME(name) ck_avx2_##name
#include "ck_lanes.h"
#include "ck_vector_body.h"
#include "ck_attention_body.h"
#pragma clang attribute pop
#endif
