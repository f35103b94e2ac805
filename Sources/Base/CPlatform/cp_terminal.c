#define _GNU_SOURCE
#include "cp_terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

static struct termios ordinary;            // as the shell left it
static struct termios wanted;              // what the current mode asks for
static volatile sig_atomic_t mode = CP_TERMINAL_ORDINARY;
static volatile sig_atomic_t terminal = -1;
static volatile sig_atomic_t is_child_running = 0;
static int wake_pipe[2] = {-1, -1};
static int interrupt_pipe[2] = {-1, -1};

static const int fatal_signals[] = {SIGHUP,  SIGTERM, SIGQUIT, SIGSEGV, SIGBUS,
                                    SIGILL,  SIGFPE,  SIGABRT, SIGTRAP, SIGSYS};
enum { fatal_count = sizeof fatal_signals / sizeof fatal_signals[0] };
static struct sigaction earlier[fatal_count];

static void put(int fd, const char *text, size_t count) {
  ssize_t written = write(fd, text, count);
  (void)written;  // a terminal that is gone needs no escape sequence
}

static void announce_paste(int fd, int is_on) {
  put(fd, is_on ? "\033[?2004h" : "\033[?2004l", 8);
}

void cp_terminal_restore(void) {
  if (mode == CP_TERMINAL_ORDINARY || terminal < 0) return;
  if (mode == CP_TERMINAL_EDITING) announce_paste(terminal, 0);
  tcsetattr(terminal, TCSADRAIN, &ordinary);
}

int cp_terminal_set_mode(int fd, enum cp_terminal_mode next) {
  if (mode == CP_TERMINAL_ORDINARY) {
    if (next == CP_TERMINAL_ORDINARY) return 0;
    if (tcgetattr(fd, &ordinary) != 0) return errno;
  }
  struct termios settings = ordinary;
  if (next != CP_TERMINAL_ORDINARY) {
    settings.c_lflag &= ~(tcflag_t)(ECHO | ICANON);
    settings.c_iflag &= ~(tcflag_t)(ICRNL | INLCR | IGNCR);  // keys typed ahead arrive as they were typed
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
  }
  if (next == CP_TERMINAL_EDITING) {
    settings.c_lflag &= ~(tcflag_t)(IEXTEN | ISIG);
    settings.c_iflag &= ~(tcflag_t)(BRKINT | INPCK | ISTRIP | IXON);
    settings.c_cflag |= CS8;
  }
  // Drain, never flush: what was typed ahead belongs to the next line.
  int status;
  do status = tcsetattr(fd, TCSADRAIN, &settings);
  while (status != 0 && errno == EINTR);
  if (status != 0) return errno;
  if (next == CP_TERMINAL_EDITING && mode != CP_TERMINAL_EDITING) announce_paste(fd, 1);
  if (next != CP_TERMINAL_EDITING && mode == CP_TERMINAL_EDITING) announce_paste(fd, 0);
  wanted = settings;
  terminal = fd;
  mode = next;
  return 0;
}

static void on_fatal(int signal_number) {
  int saved = errno;
  cp_terminal_restore();
  for (int i = 0; i < fatal_count; i++) {
    if (fatal_signals[i] == signal_number) sigaction(signal_number, &earlier[i], NULL);
  }
  // Blocked until this handler returns; then it acts as it did before us.
  raise(signal_number);
  errno = saved;
}

static void resume_mode(void) {
  if (mode == CP_TERMINAL_ORDINARY || is_child_running || tcgetpgrp(terminal) != getpgrp()) return;
  tcsetattr(terminal, TCSADRAIN, &wanted);
  if (mode == CP_TERMINAL_EDITING) announce_paste(terminal, 1);
}

static void on_continue(int signal_number) {
  (void)signal_number;
  int saved = errno;
  resume_mode();
  put(wake_pipe[1], "c", 1);
  errno = saved;
}

static void on_stop(int signal_number) {
  (void)signal_number;
  cp_terminal_suspend();
}

static void on_resize(int signal_number) {
  (void)signal_number;
  int saved = errno;
  put(wake_pipe[1], "w", 1);
  errno = saved;
}

static void on_interrupt(int signal_number) {
  (void)signal_number;
  int saved = errno;
  if (!is_child_running) put(interrupt_pipe[1], "i", 1);
  errno = saved;
}

static void install(int signal_number, void (*handler)(int), int flags) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = handler;
  action.sa_flags = flags;
  sigemptyset(&action.sa_mask);
  sigaction(signal_number, &action, NULL);
}

void cp_terminal_suspend(void) {
  int saved = errno;
  cp_terminal_restore();
  struct sigaction standard, ours;
  memset(&standard, 0, sizeof standard);
  standard.sa_handler = SIG_DFL;
  sigaction(SIGTSTP, &standard, &ours);
  sigset_t stop, previous;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &previous);
  kill(getpid(), SIGTSTP);  // returns once the process is continued, after on_continue
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  sigaction(SIGTSTP, &ours, NULL);
  resume_mode();  // a process whose group nobody could continue was not stopped at all
  errno = saved;
}

int cp_terminal_watch_signals(void) {
  if (wake_pipe[0] >= 0) return 0;
  if (pipe2(wake_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
  // The reader of interrupts waits in its own thread, so only the writing end must never block.
  if (pipe2(interrupt_pipe, O_CLOEXEC) != 0) return errno;
  fcntl(interrupt_pipe[1], F_SETFL, O_NONBLOCK);
  for (int i = 0; i < fatal_count; i++) {
    sigaction(fatal_signals[i], NULL, &earlier[i]);
    if (earlier[i].sa_handler == SIG_IGN) continue;  // nohup's SIGHUP stays ignored
    install(fatal_signals[i], on_fatal, SA_ONSTACK);
  }
  install(SIGTSTP, on_stop, SA_RESTART);
  install(SIGCONT, on_continue, SA_RESTART);
  install(SIGWINCH, on_resize, SA_RESTART);
  install(SIGINT, on_interrupt, SA_RESTART);
  install(SIGPIPE, SIG_IGN, 0);
  atexit(cp_terminal_restore);
  return 0;
}

int cp_terminal_wake_descriptor(void) { return wake_pipe[0]; }
int cp_terminal_interrupt_descriptor(void) { return interrupt_pipe[0]; }

int cp_terminal_size(int fd, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(fd, TIOCGWINSZ, &size) != 0) return errno;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return 0;
}

void cp_terminal_die_of_pipe(void) {
  cp_terminal_restore();
  install(SIGPIPE, SIG_DFL, 0);
  raise(SIGPIPE);
}

int cp_terminal_run_shell(const char *command, const char *argument, const void *bytes, unsigned long count) {
  int feed[2] = {-1, -1};
  if (bytes && pipe2(feed, O_CLOEXEC) != 0) return -errno;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t standard, none;
  sigemptyset(&standard);
  sigemptyset(&none);
  const int reset[] = {SIGPIPE, SIGINT, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH, SIGHUP, SIGTERM};
  for (unsigned i = 0; i < sizeof reset / sizeof reset[0]; i++) sigaddset(&standard, reset[i]);
  posix_spawn_file_actions_init(&actions);
  if (bytes) posix_spawn_file_actions_adddup2(&actions, feed[0], STDIN_FILENO);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigdefault(&attributes, &standard);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);

  enum cp_terminal_mode before = mode;
  int fd = terminal;
  if (before != CP_TERMINAL_ORDINARY) cp_terminal_set_mode(fd, CP_TERMINAL_ORDINARY);
  is_child_running = 1;
  pid_t child = 0;
  char *const arguments[] = {"sh", "-c", (char *)command, "sh", (char *)argument, NULL};
  int failure = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  int status = -failure;
  if (feed[0] >= 0) close(feed[0]);
  if (failure == 0) {
    const char *rest = bytes;
    while (bytes && count > 0) {
      ssize_t written = write(feed[1], rest, count);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) break;  // the pager was left before the end
      rest += written;
      count -= (unsigned long)written;
    }
    if (feed[1] >= 0) close(feed[1]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  } else if (feed[1] >= 0) {
    close(feed[1]);
  }
  is_child_running = 0;
  if (before != CP_TERMINAL_ORDINARY) cp_terminal_set_mode(fd, before);
  return status;
}
