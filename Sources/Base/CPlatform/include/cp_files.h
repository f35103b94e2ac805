#ifndef CP_FILES_H
#define CP_FILES_H

#include <stdint.h>

/// Whether an open file is a window into the kernel (/proc, /sys and their like) rather than on a disk.
int cp_is_kernel_file(int descriptor);

/// Asks the system to begin writing a part of a file to the disk, without waiting for it. A hint: nothing tells that it was done.
void cp_begin_writing(int descriptor, int64_t offset, int64_t length);

/// A descriptor that becomes readable when an eight-byte number other than 0 is written to it; -1 with errno set.
int cp_event_make(void);

/// What happened in a watched folder; a closed set of the kernel's flags (man 7 inotify).
enum {
  CP_WATCH_CHANGED = 1,  // a file was closed after writing, or its attributes changed
  CP_WATCH_ARRIVED = 2,  // a name appeared: made, or moved here
  CP_WATCH_LEFT = 4,     // a name disappeared: removed, or moved away
  CP_WATCH_FOLDER = 8,   // with ARRIVED or LEFT: it is a folder
  CP_WATCH_GONE = 16,    // the watched folder itself is gone or has moved
  CP_WATCH_LOST = 32,    // events were lost
};

/// Starts to watch folders. Returns a descriptor that does not block, or -1 with errno set.
int cp_watch_make(void);
/// Watches one folder, not those in it. Returns its number, or -1 with errno set.
int cp_watch_add(int watch, const char *_Nonnull folder);
/// Stops watching a folder.
void cp_watch_remove(int watch, int number);
/// Takes events and calls `body` with the folder's number, the flags above and the name in the folder (empty for the
/// folder itself). Returns how many came, 0 where none waits, or -1 with errno set.
int cp_watch_read(int watch, void *_Nullable context,
                  void (*_Nonnull body)(void *_Nullable context, int number, uint32_t flags, const char *_Nonnull name));

#endif
