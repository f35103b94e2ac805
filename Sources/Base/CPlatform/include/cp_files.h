#ifndef CP_FILES_H
#define CP_FILES_H

#include <stdint.h>

/// Indicates whether an open file belongs to a pseudo file system of the kernel (/proc, /sys and the like).
int cp_is_kernel_file(int descriptor);

/// Starts writing dirty pages of a range of a file to the disk without waiting for them (sync_file_range). Only a hint:
/// errors are not reported.
void cp_begin_writing(int descriptor, int64_t offset, int64_t length);

/// Makes an eventfd: a descriptor that becomes readable once an eight-byte number other than 0 is written to it.
/// Returns -1 with errno set on failure.
int cp_event_make(void);

/// Events in a watched folder: a closed set made of the kernel's flags (man 7 inotify).
enum {
  CP_WATCH_CHANGED = 1,  // a file was closed after writing, or its attributes changed
  CP_WATCH_ARRIVED = 2,  // a name appeared: made, or moved here
  CP_WATCH_LEFT = 4,     // a name disappeared: removed, or moved away
  CP_WATCH_FOLDER = 8,   // with ARRIVED or LEFT: it is a folder
  CP_WATCH_GONE = 16,    // the watched folder itself is gone or has moved
  CP_WATCH_LOST = 32,    // events were lost
};

/// Makes an inotify instance. Returns a non-blocking descriptor, or -1 with errno set.
int cp_watch_make(void);
/// Watches one folder, not its subfolders. Returns the watch number, or -1 with errno set.
int cp_watch_add(int watch, const char *_Nonnull folder);
/// Stops watching a folder.
void cp_watch_remove(int watch, int number);
/// Reads pending events and calls `body` with the folder's watch number, the flags above and the name in the folder
/// (empty for the folder itself). Returns the number of events, 0 where none is pending, or -1 with errno set.
int cp_watch_read(int watch, void *_Nullable context,
                  void (*_Nonnull body)(
                      void *_Nullable context, int number, uint32_t flags, const char *_Nonnull name));

#endif
