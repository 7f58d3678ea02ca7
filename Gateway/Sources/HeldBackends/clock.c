// The calendar's clock of a process, as its starter has it: it stands at what the eight bytes of a file say, in
// nanoseconds since 1970, until they say something else.
//
// Loaded before all others (LD_PRELOAD), this library stands in for what reads that clock and for what waits until a moment
// of it. Clocks that count from the start of the machine, and with them every timeout, stay as they are: whoever waits for
// five seconds waits for five seconds, and whoever sleeps wakes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *held;

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("CHAOS_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (page != MAP_FAILED) held = page;
}

// The function that this library stands in for. Conditions have an old form beside the one that programs use.
static void *behind(const char *name, const char *version) {
  void *found = NULL;
#ifdef __GLIBC__
  if (version) found = dlvsym(RTLD_NEXT, name, version);
#endif
  return found ? found : dlsym(RTLD_NEXT, name);
}

#define BEHIND(name, version)                        \
  static __typeof__(name) *next;                     \
  if (!next) next = (__typeof__(name) *)behind(#name, version)

static int64_t nanoseconds(const struct timespec *moment) {
  return moment->tv_sec * 1000000000LL + moment->tv_nsec;
}

static struct timespec moment(int64_t nanoseconds) {
  struct timespec moment = {nanoseconds / 1000000000LL, nanoseconds % 1000000000LL};
  if (moment.tv_nsec < 0) moment.tv_sec -= 1, moment.tv_nsec += 1000000000LL;
  return moment;
}

static int64_t machine(clockid_t clock) {
  struct timespec now;
  syscall(SYS_clock_gettime, clock, &now);
  return nanoseconds(&now);
}

static int is_calendar(clockid_t clock) {
  return held && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE);
}

// A moment of the calendar, as the machine's own clock will show it.
static struct timespec moved(const struct timespec *until) {
  return moment(nanoseconds(until) - *held + machine(CLOCK_REALTIME));
}

int clock_gettime(clockid_t clock, struct timespec *now) {
  if (is_calendar(clock)) {
    *now = moment(*held);
    return 0;
  }
  BEHIND(clock_gettime, NULL);
  return next(clock, now);
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
  if (held) {
    struct timespec at = moment(*held);
    now->tv_sec = at.tv_sec;
    now->tv_usec = at.tv_nsec / 1000;
    return 0;
  }
  BEHIND(gettimeofday, NULL);
  return next(now, zone);
}

time_t time(time_t *now) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  if (now) *now = at.tv_sec;
  return at.tv_sec;
}

int timespec_get(struct timespec *now, int base) {
  if (held && base == TIME_UTC) {
    *now = moment(*held);
    return base;
  }
  BEHIND(timespec_get, NULL);
  return next(now, base);
}

// A condition may wait by either clock, and only itself knows which: moments of the two lie decades apart.
int pthread_cond_timedwait(
    pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  BEHIND(pthread_cond_timedwait, "GLIBC_2.3.2");
  if (held && llabs(nanoseconds(until) - *held) < llabs(nanoseconds(until) - machine(CLOCK_MONOTONIC))) {
    struct timespec then = moved(until);
    return next(condition, mutex, &then);
  }
  return next(condition, mutex, until);
}

int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until) {
  BEHIND(sem_timedwait, NULL);
  if (!held) return next(semaphore, until);
  struct timespec then = moved(until);
  return next(semaphore, &then);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex, const struct timespec *restrict until) {
  BEHIND(pthread_mutex_timedlock, NULL);
  if (!held) return next(mutex, until);
  struct timespec then = moved(until);
  return next(mutex, &then);
}

int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left) {
  BEHIND(clock_nanosleep, NULL);
  if (!is_calendar(clock) || !(flags & TIMER_ABSTIME)) return next(clock, flags, until, left);
  struct timespec then = moved(until);
  return next(clock, flags, &then, left);
}

#ifdef __GLIBC__
int pthread_cond_clockwait(
    pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  BEHIND(pthread_cond_clockwait, NULL);
  if (!is_calendar(clock)) return next(condition, mutex, clock, until);
  struct timespec then = moved(until);
  return next(condition, mutex, clock, &then);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  BEHIND(sem_clockwait, NULL);
  if (!is_calendar(clock)) return next(semaphore, clock, until);
  struct timespec then = moved(until);
  return next(semaphore, clock, &then);
}
#endif
