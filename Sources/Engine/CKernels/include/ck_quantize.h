#ifndef CK_QUANTIZE_H
#define CK_QUANTIZE_H
#include <stdint.h>

/// Indicates whether ck_quantize supports a type.
int ck_can_quantize(int type);
/// Quantizes x (count,) to blocks of a type, with the least squared error (weighted towards large values) that a search
/// of scales finds. NaN and infinities count as 0.
/// - count: a multiple of the block size
void ck_quantize(int type, const float *x, int64_t count, void *blocks);

#endif
