#ifndef CP_LAUNCHER_H
#define CP_LAUNCHER_H

// A launcher is a small process that starts one fixed program on request. It is forked before the network lock is
// installed, so that the one program that needs the network has it although the rest of Alcove does not.

/// Forks the launcher of a program. Call it while the process has one thread. Returns the socket of the launcher, or -1
/// with errno set. The launcher ends when the socket closes; programs it started go on.
int cp_launcher_make(const char *_Nonnull program);
/// Starts the program with `count` bytes of arguments, each terminated by a zero byte, in a session of its own. The
/// descriptors become its standard input, output and error; the caller keeps its own copies. Returns the process ID, or
/// -1 with errno set.
int cp_launcher_start(int launcher, const char *_Nonnull arguments, unsigned long count, int input, int output,
                      int errors);

#endif
