#define _GNU_SOURCE
#include "cp_fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define START 'S'
#define KILL 'K'
#define JOB_DESCRIPTORS 3

// MARK: Sockets

static int socket_pair(int type, int *one, int *other) {
  int pair[2];
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, pair) != 0) return errno;
  *one = pair[0];
  *other = pair[1];
  return 0;
}

int cp_stream_pair(int *one, int *other) { return socket_pair(SOCK_STREAM, one, other); }
int cp_message_pair(int *one, int *other) { return socket_pair(SOCK_SEQPACKET, one, other); }

long cp_send(int socket, const void *bytes, unsigned long count) {
  ssize_t sent;
  do sent = send(socket, bytes, count, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent;
}

// MARK: Descriptors

void cp_close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, first, ~0u, 0) == 0) return;
#endif
  struct rlimit limit;
  int end = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 65536 ? (int)limit.rlim_cur : 65536;
  for (int other = first; other < end; other++) close(other);
}

int cp_memory_file(const char *name) { return (int)syscall(SYS_memfd_create, name, 1u); }

// MARK: Owner's side

int cp_fork_server_start(int control, const cp_fork_server_job *job) {
  char order = START;
  struct iovec part = {&order, 1};
  union {
    char bytes[CMSG_SPACE(JOB_DESCRIPTORS * sizeof(int))];
    struct cmsghdr alignment;
  } space;
  memset(&space, 0, sizeof space);
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(JOB_DESCRIPTORS * sizeof(int));
  int descriptors[JOB_DESCRIPTORS] = {job->file, job->channel, job->errors};
  memcpy(CMSG_DATA(header), descriptors, sizeof descriptors);
  ssize_t sent;
  do sent = sendmsg(control, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent == 1 ? 0 : errno;
}

int cp_fork_server_kill(int control) {
  char order = KILL;
  return cp_send(control, &order, 1) == 1 ? 0 : errno;
}

int cp_fork_server_wait(int control, cp_fork_server_end *end) {
  ssize_t count;
  do count = recv(control, end, sizeof *end, 0);
  while (count < 0 && errno == EINTR);
  if (count == sizeof *end) return 0;
  return count < 0 ? errno : EPIPE;
}

// MARK: Fork server's side

/// Receives an order and its descriptors. Returns the order, 0 at the end of the stream, or -1.
static int receive(int control, cp_fork_server_job *job) {
  char order = 0;
  struct iovec part = {&order, 1};
  union {
    char bytes[CMSG_SPACE(JOB_DESCRIPTORS * sizeof(int))];
    struct cmsghdr alignment;
  } space;
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
  ssize_t count;
  do count = recvmsg(control, &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  if (count <= 0) return (int)count;
  if (order != START) return order;
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (!header || header->cmsg_type != SCM_RIGHTS || header->cmsg_len != CMSG_LEN(JOB_DESCRIPTORS * sizeof(int))) {
    errno = EPROTO;
    return -1;
  }
  int descriptors[JOB_DESCRIPTORS];
  memcpy(descriptors, CMSG_DATA(header), sizeof descriptors);
  *job = (cp_fork_server_job){descriptors[0], descriptors[1], descriptors[2]};
  return order;
}

/// Leaves the child with standard input and output to /dev/null and its own three descriptors.
static int settle_child(cp_fork_server_job *job, pid_t server) {
  prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
  if (getppid() != server) _exit(0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  // First above all descriptors in use, then down to fixed numbers.
  int file = fcntl(job->file, F_DUPFD, 64), channel = fcntl(job->channel, F_DUPFD, 64);
  if (file < 0 || channel < 0 || dup2(job->errors, 2) < 0 || dup2(2, 1) < 0) return -1;
  if (dup2(file, 3) < 0 || dup2(channel, 4) < 0) return -1;
  *job = (cp_fork_server_job){3, 4, 2};
  cp_close_from(5);
  return 0;
}

/// Waits for the child, kills it when the owner says so or is gone, and reports its end. Returns 0 while the owner is
/// there.
static int attend(int control, int signals, pid_t child) {
  int is_owned = 1;
  for (;;) {
    struct pollfd events[2] = {{signals, POLLIN, 0}, {is_owned ? control : -1, POLLIN, 0}};
    if (poll(events, 2, -1) < 0 && errno != EINTR) return -1;
    if (events[1].revents) {
      cp_fork_server_job unexpected;
      int order = receive(control, &unexpected);
      if (order <= 0) is_owned = 0;
      kill(child, SIGKILL);
    }
    struct signalfd_siginfo information;
    if (events[0].revents) (void)!read(signals, &information, sizeof information);
    int status;
    struct rusage usage;
    if (wait4(child, &status, WNOHANG, &usage) != child) continue;
    cp_fork_server_end end = {
        .status = status,
        .processor_microseconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000ll +
                                  usage.ru_utime.tv_usec + usage.ru_stime.tv_usec};
    if (!is_owned || cp_send(control, &end, sizeof end) != sizeof end) return -1;
    return 0;
  }
}

int cp_fork_server_serve(int control, cp_fork_server_job *job) {
  sigset_t children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  if (sigprocmask(SIG_BLOCK, &children, NULL) != 0) return -1;
  int signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
  if (signals < 0) return -1;
  pid_t self = getpid();
  for (;;) {
    int order = receive(control, job);
    if (order <= 0) return order;
    // The child had ended before the order to kill it came.
    if (order != START) continue;
    pid_t child = fork();
    if (child == 0) {
      if (settle_child(job, self) != 0) _exit(127);
      return 1;
    }
    close(job->file);
    close(job->channel);
    close(job->errors);
    if (child < 0) {
      cp_fork_server_end end = {.status = 127 << 8};
      if (cp_send(control, &end, sizeof end) != sizeof end) return 0;
    } else if (attend(control, signals, child) != 0) {
      return 0;
    }
  }
}
