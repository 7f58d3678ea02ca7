// A process of the gateway that all processes of one backend descend from.
//
// A daemon that forks twice leaves its parents, its group and its session. Linux gives it to the nearest ancestor that is a
// "child subreaper": the supervisor is one, so nothing that the program starts can leave it. It runs in a copy of a process
// with threads, so it calls nothing that may take a lock.
#define _GNU_SOURCE
#include "Supervision.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

enum { leash_end = 3, status_end = 4, program_end = 5, first_free = 6 };

static void close_from(int first) {
#ifdef SYS_close_range
  if (syscall(SYS_close_range, (unsigned)first, ~0U, 0) == 0) return;
#endif
  long most = sysconf(_SC_OPEN_MAX);
  if (most < 0 || most > 65536) most = 65536;
  for (int file = first; file < most; file++) close(file);
}

// Kills each child, one level after the other: those of a child that is gone become the supervisor's own. What does not
// die within two seconds, as the kernel holds it, is left.
static void kill_children(pid_t program) {
  for (int round = 0; round < 2000; round++) {
    char text[4096];
    int file = open("/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? 0 : read(file, text, sizeof text);
    if (file >= 0) close(file);
    long child = 0;
    // A number that the buffer cuts off is left for the next look.
    for (ssize_t place = 0; place < count; place++) {
      if (text[place] >= '0' && text[place] <= '9') {
        child = child * 10 + (text[place] - '0');
      } else if (child > 0) {
        kill((pid_t)child, SIGKILL);
        child = 0;
      }
    }
    // Where the kernel lists no children.
    if (file < 0) kill(-program, SIGKILL);
    pid_t gone;
    while ((gone = waitpid(-1, NULL, WNOHANG)) > 0) {}
    if (gone < 0 && errno == ECHILD) return;
    poll(NULL, 0, 1);
  }
}

static volatile sig_atomic_t is_told_to_end;
static void wake(int number) {
  if (number != SIGCHLD) is_told_to_end = 1;
}

static void supervise(const char *output, char *const arguments[], char *const environment[]) {
  setpgid(0, 0);
  for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  // Heard in the wait alone, so that none comes between a look and the wait.
  sigset_t blocked, none;
  sigemptyset(&none);
  sigemptyset(&blocked);
  const int heard[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
  struct sigaction on_signal = {.sa_handler = wake};
  for (int place = 0; place < 4; place++) {
    sigaction(heard[place], &on_signal, NULL);
    sigaddset(&blocked, heard[place]);
  }
  sigprocmask(SIG_SETMASK, &blocked, NULL);
#ifdef __linux__
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  prctl(PR_SET_NAME, "chaos-supervise", 0, 0, 0);
#endif
  pid_t program = fork();
  if (program == 0) {
    setpgid(0, 0);
    close_from(leash_end);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    int empty = open("/dev/null", O_RDONLY);
    int printed = open(output, O_WRONLY | O_CREAT | O_APPEND, 0600);
    // The lowest ones are free: 0, 1 and 2 were closed by the supervisor.
    if (empty != 0 || printed != 1 || dup(printed) != 2) _exit(126);
    execvpe(arguments[0], arguments, environment);
    _exit(127);
  }
  int32_t started = program < 0 ? -errno : program;
  if (write(program_end, &started, sizeof started) < 0 || program < 0) _exit(1);
  close(program_end);
  while (!is_told_to_end) {
    int status;
    for (pid_t gone; (gone = waitpid(-1, &status, WNOHANG)) > 0;) {
      if (gone != program) continue;
      int32_t ended = status;
      if (write(status_end, &ended, sizeof ended) < 0) break;
    }
    struct pollfd leash = {.fd = leash_end, .events = POLLIN};
    if (ppoll(&leash, 1, NULL, &none) > 0) break;
  }
  kill_children(program);
  _exit(0);
}

int chaos_supervise(const char *output, char *const arguments[], char *const environment[],
                    struct chaos_supervised *result) {
  int leash[2], status[2], program[2];
  if (pipe2(leash, O_CLOEXEC) != 0) return errno;
  if (pipe2(status, O_CLOEXEC) != 0) return errno;
  if (pipe2(program, O_CLOEXEC) != 0) return errno;
  pid_t supervisor = fork();
  if (supervisor == 0) {
    // Above what they become, in case one of them is there already.
    int ends[3] = {fcntl(leash[0], F_DUPFD, 64), fcntl(status[1], F_DUPFD, 64), fcntl(program[1], F_DUPFD, 64)};
    for (int place = 0; place < 3; place++) {
      if (ends[place] < 0 || dup2(ends[place], leash_end + place) < 0) _exit(1);
    }
    close_from(first_free);
    for (int file = 0; file < leash_end; file++) close(file);
    supervise(output, arguments, environment);
  }
  int error = supervisor < 0 ? errno : 0;
  close(leash[0]);
  close(status[1]);
  close(program[1]);
  int32_t started = 0;
  if (!error && read(program[0], &started, sizeof started) != sizeof started) error = ECHILD;
  if (!error && started < 0) error = -started;
  close(program[0]);
  if (error) {
    close(leash[1]);
    close(status[0]);
    if (supervisor > 0) waitpid(supervisor, NULL, 0);
    return error;
  }
  fcntl(status[0], F_SETFL, O_NONBLOCK);
  *result = (struct chaos_supervised){supervisor, started, leash[1], status[0]};
  return 0;
}
