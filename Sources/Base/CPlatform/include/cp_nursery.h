#ifndef CP_NURSERY_H
#define CP_NURSERY_H

#include <stdint.h>

/// A nursery is a process that has loaded everything a reader needs and opened nothing foreign. For each file it makes
/// a child, which costs a fraction of a start, and tells its owner how the child ended. It has one child at a time.

/// The descriptors of one child.
typedef struct {
  /// The file to read.
  int file;
  /// A stream to the owner: the request comes in, the result goes out.
  int channel;
  /// Where its errors go.
  int errors;
} cp_nursery_job;

/// How a child ended.
typedef struct {
  /// As wait() reports it.
  int32_t status;
  /// Its processor time.
  int64_t processor_microseconds;
} cp_nursery_end;

/// The owner's side: asks for a child. The descriptors stay the caller's. Returns 0, or an errno.
int cp_nursery_start(int control, const cp_nursery_job *_Nonnull job);
/// The owner's side: ends the child, if it is still there. Returns 0, or an errno.
int cp_nursery_kill(int control);
/// The owner's side: waits until the child has ended. Returns 0, or an errno; EPIPE where the nursery is gone.
int cp_nursery_wait(int control, cp_nursery_end *_Nonnull end);

/// The nursery's side: serves its owner. Returns 1 in each child, with its descriptors and no others open but standard
/// input and output (to nowhere); returns 0 in the nursery when the owner is gone, or -1 with errno set.
int cp_nursery_serve(int control, cp_nursery_job *_Nonnull job);

/// A connected pair of local stream sockets that no program started later inherits. Returns 0, or an errno.
int cp_stream_pair(int *_Nonnull one, int *_Nonnull other);
/// A connected pair of local sockets that keep messages apart. Returns 0, or an errno.
int cp_message_pair(int *_Nonnull one, int *_Nonnull other);
/// Sends bytes without a signal when the other side is gone. Returns how many were sent, or -1 with errno set.
long cp_send(int socket, const void *_Nullable bytes, unsigned long count);
/// Closes every descriptor from one on.
void cp_close_from(int first);
/// A file that has no name and lives in memory. Returns a descriptor, or -1 with errno set.
int cp_memory_file(const char *_Nonnull name);

#endif
