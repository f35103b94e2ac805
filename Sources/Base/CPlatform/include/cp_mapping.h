#ifndef CP_MAPPING_H
#define CP_MAPPING_H
#include <stddef.h>
#include <stdint.h>

/// Watches a file mapping: a page of it that cannot be read (the file shrank, the disk failed) then reads as
/// zeros, with everything after it, and the mapping counts as damaged. Without this the process would die of SIGBUS.
/// Returns a slot, or -1 where all are taken.
int32_t cp_guard_mapping(const void *start, size_t length);
/// Whether a page of the mapping could not be read.
int32_t cp_mapping_is_damaged(int32_t slot);
/// Stops watching; call it before unmapping.
void cp_release_mapping(int32_t slot);

#endif
