#ifndef CP_PROCESSORS_H
#define CP_PROCESSORS_H
#include <stdint.h>

/// Sleeps while `*word == expected`, at most `nanoseconds` (negative: no limit). May wake for no reason.
void cp_futex_wait(const void *word, uint32_t expected, int64_t nanoseconds);
/// Wakes up to `count` threads that sleep on `word`.
void cp_futex_wake(const void *word, int32_t count);
/// Tells the core that this is a spin loop (PAUSE, YIELD).
void cp_spin_hint(void);
/// Reads the tick counter: a clock of constant but unknown rate, the cheapest to read.
uint64_t cp_ticks(void);
/// Prefetches memory into the core's L2 cache. Never blocks or faults: any address will do.
void cp_prefetch(const void *start, int64_t bytes);
/// Writes the logical processors of this process's affinity mask, ascending, at most `capacity` of them. Returns their
/// number, which may exceed `capacity`; 0 where the system does not tell.
int32_t cp_allowed_processors(int32_t *processors, int32_t capacity);

#endif
