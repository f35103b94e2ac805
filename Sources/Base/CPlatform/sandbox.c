#define _GNU_SOURCE
#include "cp_sandbox.h"

#include "call_filter.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// MARK: Limits

static int set_limit(int resource, rlim_t soft, rlim_t hard) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return errno;
  if (limit.rlim_max != RLIM_INFINITY && hard > limit.rlim_max) hard = limit.rlim_max;
  if (soft > hard) soft = hard;
  limit = (struct rlimit){soft, hard};
  return setrlimit(resource, &limit) == 0 ? 0 : errno;
}

static int set_limits(const cp_sandbox_limits *limits) {
  int error = set_limit(RLIMIT_AS, limits->address_space, limits->address_space);
  // The soft limit sends SIGXCPU, so that the reason is known.
  if (!error) error = set_limit(RLIMIT_CPU, limits->processor_seconds, limits->processor_seconds + 1);
  if (!error) error = set_limit(RLIMIT_NOFILE, limits->descriptors, limits->descriptors);
  if (!error) error = set_limit(RLIMIT_FSIZE, 0, 0);
  if (!error) error = set_limit(RLIMIT_CORE, 0, 0);
  if (!error) error = set_limit(RLIMIT_NPROC, 0, 0);
  if (!error) error = set_limit(RLIMIT_MEMLOCK, 0, 0);
  return error;
}

// MARK: Files (Landlock, kernel: Documentation/userspace-api/landlock.rst)

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

#define READ_FILE (1ull << 2)
#define READ_FOLDER (1ull << 3)
#define RULE_PATH_BENEATH 1
#define VERSION_QUERY 1u

// Missing from the headers of the oldest supported systems.
struct ruleset {
  uint64_t files;
  uint64_t network;
  uint64_t scopes;
};
struct path_rule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed));

/// Returns the mask of all file accesses that a version of Landlock knows.
static uint64_t file_accesses(long version) {
  if (version >= 5) return (1ull << 16) - 1;  // device ioctl
  if (version >= 3) return (1ull << 15) - 1;  // truncate
  if (version == 2) return (1ull << 14) - 1;  // refer
  return (1ull << 13) - 1;
}

/// Allows accesses below a path, or to it where it is a file; a path that does not exist is skipped.
static int allow(int set, const char *path, uint64_t accesses, uint64_t accesses_to_file) {
  int folder = open(path, O_PATH | O_CLOEXEC);
  if (folder < 0) return 0;
  int error = 0;
  struct path_rule rule = {accesses, folder};
  if (syscall(SYS_landlock_add_rule, set, RULE_PATH_BENEATH, &rule, 0) != 0) {
    // A file cannot be listed.
    rule.allowed = accesses_to_file;
    if (syscall(SYS_landlock_add_rule, set, RULE_PATH_BENEATH, &rule, 0) != 0) error = errno;
  }
  close(folder);
  return error;
}

/// Allows reading below `readable` and, where it is not NULL, everything below `writable`.
static int confine_files(const char *const *readable, const char *writable, int refuses_network,
                         cp_file_confinement *files) {
  *files = CP_FILES_OPEN;
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_QUERY);
  if (version < 1) return 0;
  struct ruleset ruleset = {.files = file_accesses(version)};
  size_t size = 8;
  if (version >= 4) ruleset.network = refuses_network ? 3 : 1, size = 16;
  if (version >= 6) ruleset.scopes = 3, size = 24;
  int set = (int)syscall(SYS_landlock_create_ruleset, &ruleset, size, 0);
  if (set < 0) return errno;
  int error = writable ? allow(set, writable, ruleset.files, READ_FILE) : 0;
  for (; *readable && !error; readable++) error = allow(set, *readable, READ_FILE | READ_FOLDER, READ_FILE);
  if (!error && syscall(SYS_landlock_restrict_self, set, 0) != 0) error = errno;
  close(set);
  if (!error) *files = CP_FILES_CONFINED;
  return error;
}

// MARK: System calls (seccomp)

/// Calls allowed whatever their arguments.
static const int allowed_calls[] = {
    // Most frequent first.
    SYS_read, SYS_pread64, SYS_write, SYS_lseek, SYS_mmap, SYS_munmap, SYS_mremap, SYS_brk, SYS_madvise, SYS_futex,
    SYS_close, SYS_fstat, SYS_newfstatat, SYS_readv, SYS_preadv, SYS_writev, SYS_exit, SYS_exit_group,
    SYS_clock_gettime, SYS_clock_getres, SYS_gettimeofday, SYS_nanosleep, SYS_clock_nanosleep, SYS_getrandom,
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_sched_yield,
    SYS_sched_getaffinity, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack,
    SYS_restart_syscall, SYS_uname, SYS_getcwd, SYS_getdents64, SYS_dup, SYS_faccessat, SYS_readlinkat, SYS_ppoll,
    SYS_sysinfo, SYS_set_robust_list, SYS_fadvise64, SYS_statfs, SYS_fstatfs, SYS_getrlimit, SYS_getrusage, SYS_times,
    SYS_set_tid_address, SYS_mincore, SYS_getcpu,
#ifdef SYS_statx
    SYS_statx,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef SYS_membarrier
    SYS_membarrier,
#endif
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef __x86_64__
    SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_poll, SYS_time, SYS_arch_prctl, SYS_getdents,
#endif
};

/// Flags of open() that write, create or truncate a file.
#define CHANGING_FLAGS (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | 020000000)

static int confine_calls(void) {
  call_filter filter;
  filter_begin(&filter);
  // Memory may not be executable and written to, nor become executable later.
  filter_argument(&filter, SYS_mmap, 2, PROT_WRITE | PROT_EXEC, PROT_WRITE | PROT_EXEC, REFUSE(EPERM));
  filter_argument(&filter, SYS_mprotect, 2, PROT_EXEC, 0, SECCOMP_RET_ALLOW);
  for (unsigned i = 0; i < sizeof allowed_calls / sizeof *allowed_calls; i++)
    filter_call(&filter, allowed_calls[i], SECCOMP_RET_ALLOW);
  filter_argument(&filter, SYS_openat, 2, CHANGING_FLAGS, 0, SECCOMP_RET_ALLOW);
#ifdef __x86_64__
  filter_argument(&filter, SYS_open, 1, CHANGING_FLAGS, 0, SECCOMP_RET_ALLOW);
#endif
  // The process may read its own limits, not change them.
  filter_null(&filter, SYS_prlimit64, 2, SECCOMP_RET_ALLOW);
  static const int descriptor_commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL};
  for (unsigned i = 0; i < sizeof descriptor_commands / sizeof *descriptor_commands; i++)
    filter_argument(&filter, SYS_fcntl, 1, 0xffffffff, (uint32_t)descriptor_commands[i], SECCOMP_RET_ALLOW);
  // abort() sends a signal to itself; none may go to others.
  uint32_t self = (uint32_t)getpid();
  filter_argument(&filter, SYS_tgkill, 0, 0xffffffff, self, SECCOMP_RET_ALLOW);
  filter_argument(&filter, SYS_kill, 0, 0xffffffff, self, SECCOMP_RET_ALLOW);
  filter_argument(&filter, SYS_prctl, 0, 0xffffffff, PR_SET_NAME, SECCOMP_RET_ALLOW);
  filter_argument(&filter, SYS_prctl, 0, 0xffffffff, 0x53564d41, SECCOMP_RET_ALLOW);  // PR_SET_VMA: names only
  // isatty(): no descriptor is a terminal.
  filter_call(&filter, SYS_ioctl, REFUSE(ENOTTY));
  // 434 is the first number that both architectures share and that came after the calls above.
  return filter_install(&filter, REFUSE(EPERM), 434);
}

int cp_sandbox_enter(const cp_sandbox_limits *limits, const char *const *readable, cp_file_confinement *files) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0) return errno;
  int error = confine_files(readable, NULL, 1, files);
  if (!error) error = set_limits(limits);
  if (!error) error = confine_calls();
  return error;
}

int cp_sandbox_enter_folder(const char *folder, const char *const *readable, cp_file_confinement *files) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  int error = confine_files(readable, folder, 0, files);
  if (error) return error;
  call_filter filter;
  filter_begin(&filter);
  static const int refused_calls[] = {SYS_execve, SYS_execveat, SYS_ptrace, SYS_mount, SYS_process_vm_readv,
                                      SYS_process_vm_writev, SYS_bpf, SYS_kexec_load, SYS_init_module};
  for (unsigned i = 0; i < sizeof refused_calls / sizeof *refused_calls; i++)
    filter_call(&filter, refused_calls[i], REFUSE(EPERM));
  // io_uring opens files without a system call that a later filter sees.
  for (int number = 425; number <= 427; number++) filter_call(&filter, number, REFUSE(ENOSYS));
  return filter_install(&filter, SECCOMP_RET_ALLOW, 0x3fffffff);
}
