// NEON: every 64-bit Arm processor. Functions without newer instructions serve the other NEON sets too.
#if defined(__aarch64__)
#include <arm_neon.h>

#include "ck_attention.h"
#include "ck_blocks.h"
#include "ck_panel.h"
#include "ck_picture.h"
#include "ck_types.h"
#include "ck_vector.h"
#define CK_NAME(name) ck_neon_##name
#define CK_UNROLL _Pragma("unroll")
#define CK_SMALL_BATCH_TOKENS 2
#define CK_TILE_TOKENS 3
#define CK_PEAK_INPUTS CK_PEAK_SUMS
#define CK_PEAK_SUMS 6
#define CK_TILE_GROUPS 1
#define CK_FLOAT_BATCH_ROWS 2
#define CK_FLOAT_ROWS 4
#define CK_FLOAT_TOKENS 5
#define CK_FLOAT_PARTS 4
#define CK_ATTENTION_SUMS 6
#define CK_ATTENTION_ROWS 4
#define CK_PRODUCT_TOKENS 4
#define CK_PRODUCT_GROUPS 1
#define CK_OWN_WIDEN
#include "ck_lanes.h"
#include "ck_neon_lanes.h"

#include "ck_pack_body.h"
#include "ck_unpack_body.h"

#include "ck_tile_neon.h"
#include "ck_multiply_body.h"
#include "ck_int16_body.h"

#include "ck_bf16_body.h"
#include "ck_float_body.h"
#include "ck_vector_body.h"

#include "ck_attention_body.h"
#include "ck_peak_body.h"
#include "ck_picture_body.h"
#endif
