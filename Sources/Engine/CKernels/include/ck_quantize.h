#ifndef CK_QUANTIZE_H
#define CK_QUANTIZE_H
#include <stdint.h>

/// Whether ck_quantize can write a type.
int ck_can_quantize(int type);
/// Encodes F32 values as blocks of a type, with the least squared error (weighted towards large values) that a search
/// of scales finds. Values that are no finite numbers count as 0.
/// - count: values, a multiple of the block size
void ck_quantize(int type, const float *x, int64_t count, void *blocks);

#endif
