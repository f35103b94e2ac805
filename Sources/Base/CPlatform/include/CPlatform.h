// Calls of libc and the Linux kernel that Swift cannot make itself: macros, variadic functions, signal handlers, fork.
// One header for each topic.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include "cp_files.h"
#include "cp_fork_server.h"
#include "cp_launcher.h"
#include "cp_mapping.h"
#include "cp_processors.h"
#include "cp_sandbox.h"
#include "cp_sha256.h"
#include "cp_terminal.h"
#include "cp_thread.h"

#endif
