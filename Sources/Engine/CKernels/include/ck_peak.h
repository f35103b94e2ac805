#ifndef CK_PEAK_H
#define CK_PEAK_H
#include <stdint.h>

// What the machine does at best, for benchmarks to be measured against.

/// Reads every byte once and returns a sum of its words, so that nothing can be left out. `bytes` is a multiple of 64.
uint64_t ck_peak_read(int set, const void *start, int64_t bytes);
/// Runs independent 8-bit dot products for `rounds` rounds and returns how many multiply-adds those were.
int64_t ck_peak_int8(int set, int64_t rounds, int32_t *result);
/// Runs independent F32 multiply-adds for `rounds` rounds and returns how many there were.
int64_t ck_peak_f32(int set, int64_t rounds, float *result);

#endif
