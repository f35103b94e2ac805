#ifndef CP_LAUNCHER_H
#define CP_LAUNCHER_H

/// A launcher is a small process that starts one fixed program when asked. It is made before the network lock closes, so
/// that the one program that needs the network can have it although the rest of Alcove cannot.

/// Makes the launcher of a program. Call it while the process has one thread. Returns the descriptor of the line to it,
/// or -1 with errno set. It ends when that line closes; what it started goes on.
int cp_launcher_make(const char *_Nonnull program);
/// Asks for the program with `count` bytes of arguments, each ended by a zero byte, in a session of its own. The
/// descriptors become its standard input, output and errors; they stay the caller's too. Returns the process, or -1 with
/// errno set.
int cp_launcher_start(int launcher, const char *_Nonnull arguments, unsigned long count, int input, int output,
                      int errors);

#endif
