#define _GNU_SOURCE
#include "call_filter.h"

#include <errno.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NUMBER_OFFSET offsetof(struct seccomp_data, nr)
#define X32_BIT 0x40000000u

// Both architectures are little-endian: the low half of an argument comes first.
static uint32_t argument_offset(unsigned argument) {
  return (uint32_t)(offsetof(struct seccomp_data, args) + 8 * argument);
}

static void add(call_filter *filter, uint16_t code, uint8_t if_true, uint8_t if_false, uint32_t value) {
  if (filter->count == LONGEST_FILTER) {
    filter->overflowed = 1;
    return;
  }
  filter->steps[filter->count++] = (struct sock_filter){code, if_true, if_false, value};
}

void filter_begin(call_filter *filter) {
  memset(filter, 0, sizeof *filter);
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 1, 0, OUR_ARCHITECTURE);
  add(filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, NUMBER_OFFSET);
  add(filter, BPF_JMP | BPF_JGE | BPF_K, 0, 1, X32_BIT);
  add(filter, BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
}

void filter_call(call_filter *filter, long number, uint32_t action) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, (uint32_t)number);
  add(filter, BPF_RET | BPF_K, 0, 0, action);
}

void filter_argument(call_filter *filter, long number, unsigned argument, uint32_t mask, uint32_t value,
                     uint32_t action) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 5, (uint32_t)number);
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, argument_offset(argument));
  add(filter, BPF_ALU | BPF_AND | BPF_K, 0, 0, mask);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, value);
  add(filter, BPF_RET | BPF_K, 0, 0, action);
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, NUMBER_OFFSET);
}

void filter_null(call_filter *filter, long number, unsigned argument, uint32_t action) {
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 6, (uint32_t)number);
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, argument_offset(argument));
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 3, 0);
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, argument_offset(argument) + 4);
  add(filter, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
  add(filter, BPF_RET | BPF_K, 0, 0, action);
  add(filter, BPF_LD | BPF_W | BPF_ABS, 0, 0, NUMBER_OFFSET);
}

int filter_install(call_filter *filter, uint32_t otherwise, long newest) {
  add(filter, BPF_JMP | BPF_JGE | BPF_K, 0, 1, (uint32_t)newest);
  add(filter, BPF_RET | BPF_K, 0, 0, REFUSE(ENOSYS));
  add(filter, BPF_RET | BPF_K, 0, 0, otherwise);
  if (filter->overflowed) return E2BIG;
  struct sock_fprog program = {(unsigned short)filter->count, filter->steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  // With TSYNC every thread of the process is under the filter, not just this one.
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
  if (result == 0) return 0;
  return result > 0 ? EBUSY : errno;
}
