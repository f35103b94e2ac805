#ifndef CP_PROCESSORS_H
#define CP_PROCESSORS_H
#include <stdint.h>

/// Sleeps while `*word == expected`, at most `nanoseconds` (negative: no limit). May wake for no reason.
void cp_futex_wait(const void *word, uint32_t expected, int64_t nanoseconds);
/// Wakes up to `count` threads that sleep on `word`.
void cp_futex_wake(const void *word, int32_t count);
/// Tells the core that this is a spin loop.
void cp_spin_hint(void);
/// A clock of some constant rate that is cheaper to read than any other.
uint64_t cp_ticks(void);
/// Asks for memory that will be read soon, for the core's second cache; nothing waits for it, and any address will do.
void cp_ask_for(const void *start, int64_t bytes);
/// Writes the logical processors this process may run on, ascending, and returns how many there are
/// (which may exceed `capacity`); 0 where the system does not say.
int32_t cp_allowed_processors(int32_t *processors, int32_t capacity);

#endif
