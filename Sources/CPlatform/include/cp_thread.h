#ifndef CP_THREAD_H
#define CP_THREAD_H

/// Names the calling thread for debuggers and `top`; the kernel keeps the first 15 bytes.
void cp_set_thread_name(const char *_Nonnull name);

#endif
