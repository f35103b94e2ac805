#ifndef CP_FORK_SERVER_H
#define CP_FORK_SERVER_H

#include <stdint.h>

// A fork server is a process that has loaded all libraries a reader needs and opened no user file. It forks a child for
// each file, which costs a fraction of a program start, and reports to its owner how the child ended. It has one child
// at a time.

/// Descriptors of one child.
typedef struct {
  /// File to read.
  int file;
  /// Stream socket to the owner: the request comes in, the result goes out.
  int channel;
  /// Standard error of the child.
  int errors;
} cp_fork_server_job;

/// End of a child.
typedef struct {
  /// Status as wait() reports it.
  int32_t status;
  /// Processor time, user and system.
  int64_t processor_microseconds;
} cp_fork_server_end;

/// Owner's side: requests a child. The caller keeps its own copies of the descriptors. Returns 0, or an errno.
int cp_fork_server_start(int control, const cp_fork_server_job *_Nonnull job);
/// Owner's side: kills the child, if it is still running. Returns 0, or an errno.
int cp_fork_server_kill(int control);
/// Owner's side: waits until the child has ended. Returns 0, or an errno; EPIPE where the fork server is gone.
int cp_fork_server_wait(int control, cp_fork_server_end *_Nonnull end);

/// Fork server's side: serves the owner. Returns 1 in each child, which has its three descriptors and standard input
/// and output (/dev/null) open and no others; returns 0 in the fork server when the owner is gone, or -1 with errno
/// set.
int cp_fork_server_serve(int control, cp_fork_server_job *_Nonnull job);

/// Makes a connected pair of Unix stream sockets, closed on exec. Returns 0, or an errno.
int cp_stream_pair(int *_Nonnull one, int *_Nonnull other);
/// Makes a connected pair of Unix sockets that preserve message boundaries (SOCK_SEQPACKET). Returns 0, or an errno.
int cp_message_pair(int *_Nonnull one, int *_Nonnull other);
/// Sends bytes without raising SIGPIPE. Returns the number of bytes sent, or -1 with errno set.
long cp_send(int socket, const void *_Nullable bytes, unsigned long count);
/// Closes every descriptor from `first` on.
void cp_close_from(int first);
/// Makes an anonymous file in memory (memfd). Returns a descriptor, or -1 with errno set.
int cp_memory_file(const char *_Nonnull name);

#endif
