#define _GNU_SOURCE
#include "cp_mapping.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

enum { slot_count = 4096 };

// A slot is free while its length is 0. The handler reads these, so they are lock-free atomics.
static struct {
  _Atomic(uintptr_t) start;
  _Atomic(size_t) length;
  atomic_int damaged;
} slots[slot_count];

static struct sigaction previous;
static size_t page_size;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void forward(int number, siginfo_t *info, void *context) {
  if (previous.sa_flags & SA_SIGINFO) {
    if (previous.sa_sigaction) {
      previous.sa_sigaction(number, info, context);
      return;
    }
  } else if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
    return;
  }
  // Not a guarded mapping: the default action follows when the faulting instruction runs again.
  signal(SIGBUS, SIG_DFL);
}

static void on_bus_error(int number, siginfo_t *info, void *context) {
  uintptr_t address = (uintptr_t)info->si_addr;
  for (int i = 0; i < slot_count; i++) {
    size_t length = atomic_load_explicit(&slots[i].length, memory_order_acquire);
    if (length == 0) continue;
    uintptr_t start = atomic_load_explicit(&slots[i].start, memory_order_relaxed);
    if (address < start || address - start >= length) continue;
    uintptr_t page = address & ~(uintptr_t)(page_size - 1);
    void *mapped = mmap((void *)page, start + length - page, PROT_READ,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) break;
    atomic_store_explicit(&slots[i].damaged, 1, memory_order_release);
    return;
  }
  forward(number, info, context);
}

static void install(void) {
  page_size = (size_t)sysconf(_SC_PAGESIZE);
  struct sigaction action = {0};
  action.sa_sigaction = on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  sigaction(SIGBUS, &action, &previous);
}

int32_t cp_guard_mapping(const void *start, size_t length) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  int32_t slot = -1;
  pthread_mutex_lock(&lock);
  for (int32_t i = 0; i < slot_count && slot < 0; i++) {
    if (atomic_load(&slots[i].length) != 0) continue;
    atomic_store(&slots[i].damaged, 0);
    atomic_store(&slots[i].start, (uintptr_t)start);
    atomic_store_explicit(&slots[i].length, length, memory_order_release);
    slot = i;
  }
  pthread_mutex_unlock(&lock);
  return slot;
}

int32_t cp_mapping_is_damaged(int32_t slot) {
  return slot >= 0 && atomic_load_explicit(&slots[slot].damaged, memory_order_acquire);
}

void cp_release_mapping(int32_t slot) {
  if (slot >= 0) atomic_store_explicit(&slots[slot].length, 0, memory_order_release);
}
