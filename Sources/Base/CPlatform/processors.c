#define _GNU_SOURCE
#include "cp_processors.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

void cp_futex_wait(const void *word, uint32_t expected, int64_t nanoseconds) {
  struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, expected, nanoseconds < 0 ? NULL : &limit, NULL, 0);
}

void cp_futex_wake(const void *word, int32_t count) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

void cp_spin_hint(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

uint64_t cp_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
#endif
}

void cp_prefetch(const void *start, int64_t bytes) {
  for (int64_t i = 0; i < bytes; i += 64) __builtin_prefetch((const char *)start + i, 0, 2);
}

int32_t cp_allowed_processors(int32_t *processors, int32_t capacity) {
  // The kernel refuses a set smaller than its own, so the set grows until it fits.
  for (int size = 1024; size <= 1 << 20; size *= 2) {
    cpu_set_t *set = CPU_ALLOC(size);
    if (set == NULL) return 0;
    size_t bytes = CPU_ALLOC_SIZE(size);
    if (sched_getaffinity(0, bytes, set) != 0) {
      int error = errno;
      CPU_FREE(set);
      if (error == EINVAL) continue;
      return 0;
    }
    int32_t count = 0;
    for (int cpu = 0; cpu < size; cpu++) {
      if (!CPU_ISSET_S(cpu, bytes, set)) continue;
      if (count < capacity) processors[count] = cpu;
      count++;
    }
    CPU_FREE(set);
    return count;
  }
  return 0;
}
