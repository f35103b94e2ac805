#ifndef CP_TERMINAL_H
#define CP_TERMINAL_H

// The modes of the one terminal a process has, and the signals that must not leave it in the wrong one.
// The state is global because signal handlers have nothing else to reach it by.

enum cp_terminal_mode {
  CP_TERMINAL_ORDINARY = 0,   // as the shell left it
  CP_TERMINAL_EDITING = 1,    // every key is ours, no echo, no signals, bracketed paste
  CP_TERMINAL_LISTENING = 2,  // no echo, keys stay queued, Ctrl-C and Ctrl-Z send signals
};

// Puts the terminal open at `fd` into `mode`. Returns 0, or an errno value.
int cp_terminal_set_mode(int fd, enum cp_terminal_mode mode);

// Puts the terminal back as the shell left it. Safe in a signal handler and when nothing was changed.
void cp_terminal_restore(void);

// Installs the handlers: fatal signals restore the terminal and then act as before; SIGTSTP restores it while
// the process is stopped, SIGCONT brings the mode back; SIGWINCH and SIGCONT write a byte to the wake pipe;
// SIGINT writes one to the interrupt pipe. SIGPIPE is ignored, so that writes report EPIPE.
// Returns 0, or an errno value. A second call does nothing.
int cp_terminal_watch_signals(void);

// The reading ends of the two pipes, or -1 before cp_terminal_watch_signals.
int cp_terminal_wake_descriptor(void);
int cp_terminal_interrupt_descriptor(void);

// Stops the process as Ctrl-Z would, with the terminal restored meanwhile.
void cp_terminal_suspend(void);

// The window's size in characters. Returns 0, or an errno value.
int cp_terminal_size(int fd, int *columns, int *rows);

// Lets SIGPIPE end the process, as it would have without cp_terminal_watch_signals.
void cp_terminal_die_of_pipe(void);

// Runs `/bin/sh -c command sh argument` in the terminal as it was before Alcove changed it, feeding it `bytes`
// when `bytes` is not null. Signals have their default meaning for it, and Ctrl-C is its own while it runs.
// Returns its wait status, or a negated errno value when it could not be started.
int cp_terminal_run_shell(const char *command, const char *argument, const void *bytes, unsigned long count);

#endif
