#define _GNU_SOURCE
#include "cp_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

int cp_is_kernel_file(int descriptor) {
  // linux/magic.h: proc, sysfs, debugfs, tracefs, securityfs, cgroup, cgroup2, bpf, pstore, efivarfs, configfs, devpts,
  // selinuxfs, binfmt_misc, mqueue.
  static const uint32_t kinds[] = {0x9fa0,     0x62656572, 0x64626720, 0x74726163, 0x73636673,
                                   0x27e0eb,   0x63677270, 0xcafe4a11, 0x6165676c, 0xde5e81e4,
                                   0x62656570, 0x1cd1,     0xf97cff8c, 0x42494e4d, 0x19800202};
  struct statfs system;
  if (fstatfs(descriptor, &system) != 0) return 0;
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if ((uint32_t)system.f_type == kinds[i]) return 1;
  return 0;
}

void cp_begin_writing(int descriptor, int64_t offset, int64_t length) {
  (void)sync_file_range(descriptor, offset, length, SYNC_FILE_RANGE_WRITE);
}

int cp_event_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cp_watch_make(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int cp_watch_add(int watch, const char *folder) {
  return inotify_add_watch(watch, folder,
                           IN_CLOSE_WRITE | IN_ATTRIB | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                               IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK);
}

void cp_watch_remove(int watch, int number) { inotify_rm_watch(watch, number); }

int cp_watch_read(int watch, void *context,
                  void (*body)(void *context, int number, uint32_t flags, const char *name)) {
  _Alignas(struct inotify_event) char buffer[32768];
  ssize_t size = read(watch, buffer, sizeof buffer);
  if (size < 0) return errno == EAGAIN || errno == EINTR ? 0 : -1;
  int count = 0;
  for (char *place = buffer; place < buffer + size; count++) {
    struct inotify_event *event = (struct inotify_event *)(void *)place;
    uint32_t flags = 0;
    if (event->mask & (IN_CLOSE_WRITE | IN_ATTRIB)) flags |= CP_WATCH_CHANGED;
    if (event->mask & (IN_CREATE | IN_MOVED_TO)) flags |= CP_WATCH_ARRIVED;
    if (event->mask & (IN_DELETE | IN_MOVED_FROM)) flags |= CP_WATCH_LEFT;
    if (event->mask & IN_ISDIR) flags |= CP_WATCH_FOLDER;
    if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)) flags |= CP_WATCH_GONE;
    if (event->mask & IN_Q_OVERFLOW) flags |= CP_WATCH_LOST;
    body(context, event->wd, flags, event->len ? event->name : "");
    place += sizeof *event + event->len;
  }
  return count;
}
