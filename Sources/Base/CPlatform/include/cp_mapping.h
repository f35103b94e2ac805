#ifndef CP_MAPPING_H
#define CP_MAPPING_H
#include <stddef.h>
#include <stdint.h>

/// Guards a file mapping against SIGBUS: a page that cannot be read (the file shrank, the disk failed) reads as zeros,
/// with everything after it, and the mapping counts as damaged. Returns a slot, or -1 where all slots are taken.
int32_t cp_guard_mapping(const void *start, size_t length);
/// Indicates whether any page of the mapping could not be read.
int32_t cp_mapping_is_damaged(int32_t slot);
/// Releases a slot; call it before unmapping.
void cp_release_mapping(int32_t slot);

#endif
