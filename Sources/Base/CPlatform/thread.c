#define _GNU_SOURCE
#include "cp_thread.h"

#include <sched.h>
#include <sys/prctl.h>

void cp_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

void cp_set_batch_scheduling(void) {
  struct sched_param parameters = {0};
  if (sched_getscheduler(0) == SCHED_OTHER) sched_setscheduler(0, SCHED_BATCH, &parameters);
}
