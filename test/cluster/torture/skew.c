/* Moves the clock of a program by SKEW_SECONDS: preloaded, it stands between the program and the C library. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

static long seconds(void) {
  static long known = 0;
  static int isKnown = 0;
  if (!isKnown) {
    const char *text = getenv("SKEW_SECONDS");
    known = text == NULL ? 0 : atol(text);
    isKnown = 1;
  }
  return known;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  static int (*original)(clockid_t, struct timespec *) = NULL;
  if (original == NULL) original = dlsym(RTLD_NEXT, "clock_gettime");
  int code = original(clock, at);
  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) at->tv_sec += seconds();
  return code;
}

int gettimeofday(struct timeval *at, void *zone) {
  static int (*original)(struct timeval *, void *) = NULL;
  if (original == NULL) original = dlsym(RTLD_NEXT, "gettimeofday");
  int code = original(at, zone);
  if (code == 0) at->tv_sec += seconds();
  return code;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
