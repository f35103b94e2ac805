// The definition of every result: plain C for any machine.
#include "ck_attention.h"
#include "ck_types.h"
#include "ck_vector.h"
#define CK_NAME(name) ck_scalar_##name
#include "ck_lanes.h"
#include "ck_vector_body.h"
#include "ck_attention_body.h"
