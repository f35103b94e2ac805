// The little of libc and the kernel that Swift cannot see. One header a topic.
#ifndef CPLATFORM_H
#define CPLATFORM_H

#include "cp_files.h"
#include "cp_launcher.h"
#include "cp_mapping.h"
#include "cp_nursery.h"
#include "cp_processors.h"
#include "cp_sandbox.h"
#include "cp_sha256.h"
#include "cp_terminal.h"
#include "cp_thread.h"

#endif
