#ifndef CP_SANDBOX_H
#define CP_SANDBOX_H

#include <stdint.h>

/// Resource limits of a process that opens user files.
typedef struct {
  /// Address space, in bytes.
  uint64_t address_space;
  /// Processor time, in seconds.
  uint64_t processor_seconds;
  /// Number of open descriptors.
  uint64_t descriptors;
} cp_sandbox_limits;

/// Confinement of file access that was achieved.
typedef enum { CP_FILES_OPEN = 0, CP_FILES_CONFINED = 1 } cp_file_confinement;

/// Confines the calling process for good: limits on memory, time, descriptors and file sizes; no core, no new
/// privileges, no writing, no programs, no sockets, no other processes; read only below the given folders where the
/// kernel has Landlock.
/// `readable` ends with NULL; folders that do not exist are skipped. `files` is set to whether Landlock is in force.
/// Returns 0, or the errno of the step that failed; then the process must end.
int cp_sandbox_enter(const cp_sandbox_limits *_Nonnull limits, const char *_Nullable const *_Nonnull readable,
                     cp_file_confinement *_Nonnull files);

/// Refuses internet sockets to the calling process and all its children for good; Unix sockets stay.
/// Returns 0, or an errno.
int cp_network_lock(void);

/// Confines the calling process for good to writing below one folder and reading there and below a few others, where
/// the kernel has Landlock, and refuses it to start programs. The network stays open. `readable` ends with NULL; what
/// does not exist is passed over. Returns 0, or an errno.
int cp_sandbox_enter_folder(const char *_Nonnull folder, const char *_Nullable const *_Nonnull readable,
                            cp_file_confinement *_Nonnull files);

#endif
