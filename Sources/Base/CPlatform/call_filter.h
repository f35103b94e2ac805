// Builds seccomp filters from rules, one system call at a time (kernel:
// Documentation/userspace-api/seccomp_filter.rst).
#ifndef CALL_FILTER_H
#define CALL_FILTER_H

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OUR_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the call filters know x86-64 and arm64"
#endif

#define LONGEST_FILTER 512
#define REFUSE(error) (SECCOMP_RET_ERRNO | ((error) & SECCOMP_RET_DATA))

typedef struct {
  struct sock_filter steps[LONGEST_FILTER];
  unsigned count;
  int overflowed;
} call_filter;

/// Begins a filter: a call of another architecture, or of the x32 ABI, kills the process.
void filter_begin(call_filter *filter);
/// Sets the action for one call.
void filter_call(call_filter *filter, long number, uint32_t action);
/// Sets the action for one call where (argument & mask) == value.
void filter_argument(call_filter *filter, long number, unsigned argument, uint32_t mask, uint32_t value,
                     uint32_t action);
/// Sets the action for one call where an argument is NULL.
void filter_null(call_filter *filter, long number, unsigned argument, uint32_t action);
/// Ends the filter with the action for every other call, and installs it. Returns 0, or an errno.
/// Calls numbered from `newest` on fail with ENOSYS, so that libraries fall back to older calls.
int filter_install(call_filter *filter, uint32_t otherwise, long newest);

#endif
