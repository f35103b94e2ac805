#ifndef CP_THREAD_H
#define CP_THREAD_H

/// Names the calling thread for debuggers and `top`; the kernel keeps the first 15 bytes.
void cp_set_thread_name(const char *_Nonnull name);
/// When the calling thread wakes it takes a core from no other thread but waits for its turn, unless it was given a policy of
/// its own (SCHED_BATCH, see sched(7)).
void cp_wait_ones_turn(void);

#endif
