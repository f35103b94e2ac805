#ifndef CK_PEAK_H
#define CK_PEAK_H
#include <stdint.h>

// Peak rates of the machine, as the reference for benchmarks (roofline model).

/// Reads every byte once and returns the sum of its words, so that no read can be optimized away. `bytes` is a multiple
/// of 64.
uint64_t ck_peak_read(int set, const void *start, int64_t bytes);
/// Runs independent 8-bit dot products for `rounds` rounds and returns the number of multiply-adds.
int64_t ck_peak_int8(int set, int64_t rounds, int32_t *result);
/// Runs independent F32 multiply-adds for `rounds` rounds and returns their number.
int64_t ck_peak_f32(int set, int64_t rounds, float *result);

#endif
