#ifndef CHAOS_SUPERVISION_H
#define CHAOS_SUPERVISION_H

#include <sys/types.h>

// A supervisor process, and the pipes to it.
struct chaos_supervised {
  // The supervisor, a child of this process.
  pid_t supervisor;
  // The program, the supervisor's first child.
  pid_t program;
  // While this end is open the program runs. Once it is closed, and be it that this process was killed, the
  // supervisor kills all that descends from it, and ends.
  int leash;
  // Four bytes come from here when the program has ended: its status, as waitpid has it.
  int status;
};

// Starts a program, found in PATH, in a group of its own, under a supervisor. What it prints goes to a file.
// Returns 0, or what errno would say.
int chaos_supervise(const char *output, char *const arguments[], char *const environment[],
                    struct chaos_supervised *result);

#endif
