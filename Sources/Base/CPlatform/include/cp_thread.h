#ifndef CP_THREAD_H
#define CP_THREAD_H

/// Names the calling thread for debuggers and `top`; the kernel keeps the first 15 bytes.
void cp_set_thread_name(const char *_Nonnull name);
/// Sets the scheduling policy of the calling thread to SCHED_BATCH (sched(7)), so that it preempts no other thread when
/// it wakes. Does nothing where the thread has a policy other than SCHED_OTHER.
void cp_set_batch_scheduling(void);

#endif
