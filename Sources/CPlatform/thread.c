#include "cp_thread.h"

#include <sys/prctl.h>

void cp_set_thread_name(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }
