#define _GNU_SOURCE
#include "cp_launcher.h"

#include "cp_fork_server.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define LONGEST_REQUEST 65536
#define MOST_ARGUMENTS 256
#define STREAMS 3

typedef union {
  char bytes[CMSG_SPACE(STREAMS * sizeof(int))];
  struct cmsghdr alignment;
} descriptor_space;

// MARK: Launcher's side, with only calls that are safe after a fork

/// Receives a request. Returns its size, 0 at the end of the stream, or -1; `streams` are -1 where none came.
static ssize_t receive(int line, char *request, int streams[STREAMS]) {
  descriptor_space space;
  struct iovec part = {request, LONGEST_REQUEST};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
  ssize_t count;
  do count = recvmsg(line, &message, MSG_CMSG_CLOEXEC);
  while (count < 0 && errno == EINTR);
  for (int i = 0; i < STREAMS; i++) streams[i] = -1;
  struct cmsghdr *header = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (header && header->cmsg_type == SCM_RIGHTS && header->cmsg_len == CMSG_LEN(STREAMS * sizeof(int)))
    memcpy(streams, CMSG_DATA(header), STREAMS * sizeof(int));
  return count;
}

static void run(const char *program, char *request, ssize_t size, const int streams[STREAMS]) {
  char *arguments[MOST_ARGUMENTS + 2];
  int count = 0;
  arguments[count++] = (char *)program;
  for (char *next = request; next < request + size && count <= MOST_ARGUMENTS; next += strlen(next) + 1)
    arguments[count++] = next;
  arguments[count] = NULL;
  setsid();
  signal(SIGCHLD, SIG_DFL);
  // First above all descriptors in use, then down to their numbers.
  int kept[STREAMS];
  for (int i = 0; i < STREAMS; i++)
    if ((kept[i] = fcntl(streams[i], F_DUPFD, 64)) < 0) _exit(127);
  for (int i = 0; i < STREAMS; i++)
    if (dup2(kept[i], i) < 0) _exit(127);
  cp_close_from(STREAMS);
  execv(program, arguments);
  _exit(127);
}

static void serve(int line, const char *program) {
  static char request[LONGEST_REQUEST];
  int streams[STREAMS];
  for (;;) {
    ssize_t size = receive(line, request, streams);
    if (size <= 0) return;
    int answer = -EPROTO;
    if (streams[0] >= 0 && request[size - 1] == 0) {
      pid_t child = fork();
      if (child == 0) run(program, request, size, streams);
      answer = child < 0 ? -errno : child;
    }
    for (int i = 0; i < STREAMS; i++)
      if (streams[i] >= 0) close(streams[i]);
    if (cp_send(line, &answer, sizeof answer) != sizeof answer) return;
  }
}

// MARK: Owner's side

int cp_launcher_make(const char *program) {
  int ours, theirs;
  int error = cp_message_pair(&ours, &theirs);
  if (error) {
    errno = error;
    return -1;
  }
  pid_t child = fork();
  if (child < 0) {
    error = errno;
    close(ours);
    close(theirs);
    errno = error;
    return -1;
  }
  if (child > 0) {
    close(theirs);
    return ours;
  }
  // Detached from the terminal and its signals, with no descriptor open whose end others wait for.
  setsid();
  signal(SIGCHLD, SIG_IGN);
  prctl(PR_SET_NAME, "alcove-launcher", 0, 0, 0);
  int nowhere = open("/dev/null", O_RDWR);
  int line = fcntl(theirs, F_DUPFD_CLOEXEC, 64);
  if (nowhere < 0 || line < 0) _exit(127);
  for (int i = 0; i < STREAMS; i++) dup2(nowhere, i);
  for (int other = STREAMS; other < 64; other++) close(other);
  cp_close_from(line + 1);
  serve(line, program);
  _exit(0);
}

int cp_launcher_start(int launcher, const char *arguments, unsigned long count, int input, int output, int errors) {
  if (count == 0 || count > LONGEST_REQUEST) {
    errno = E2BIG;
    return -1;
  }
  int streams[STREAMS] = {input, output, errors};
  descriptor_space space;
  memset(&space, 0, sizeof space);
  struct iovec part = {(void *)arguments, count};
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = space.bytes, .msg_controllen = sizeof space.bytes};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof streams);
  memcpy(CMSG_DATA(header), streams, sizeof streams);
  ssize_t done;
  do done = sendmsg(launcher, &message, MSG_NOSIGNAL);
  while (done < 0 && errno == EINTR);
  if (done < 0) return -1;
  int answer = 0;
  do done = recv(launcher, &answer, sizeof answer, 0);
  while (done < 0 && errno == EINTR);
  if (done != sizeof answer) {
    errno = done < 0 ? errno : EPIPE;
    return -1;
  }
  if (answer > 0) return answer;
  errno = -answer;
  return -1;
}
