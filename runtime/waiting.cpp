// Waiting: what only lets time pass returns at once, and the clocks are ahead by as much from then on. What would wait
// for ever is a hang, at once. Processor time is all that a search has; a second of sleep would be a second of nothing.
#include "worker.hpp"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

namespace worker {
namespace {

constexpr int64_t kSecond = 1000000000, kMillisecond = 1000000, kMicrosecond = 1000;
// A century is as good as any longer time, and clocks do not overflow.
constexpr int64_t kLongest = 100LL * 366 * 24 * 3600 * kSecond;

// Nanoseconds that the current side has not waited for.
int64_t ahead;
pthread_t main_thread;

// Somebody else may do something meanwhile: another thread, or a timer.
bool has_company;

// Whether nothing happens but that time passes.
bool is_alone() {
  return in_side() && !has_company && !has_set_timer() && pthread_equal(pthread_self(), main_thread);
}

void pass(int64_t nanoseconds) {
  if (nanoseconds > 0) ahead = nanoseconds > kLongest - ahead ? kLongest : ahead + nanoseconds;
}

int64_t of(const timespec &time) {
  return time.tv_sec >= kLongest / kSecond ? kLongest : time.tv_sec * kSecond + time.tv_nsec;
}
int64_t of(const timeval &time) {
  const bool is_long = time.tv_sec >= kLongest / kSecond || time.tv_usec >= kLongest / kMicrosecond;
  return is_long ? kLongest : time.tv_sec * kSecond + time.tv_usec * kMicrosecond;
}

bool is_valid(const timespec *time) { return time && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < kSecond; }

// Nothing was ready at once: the time is over, or never comes to an end.
int nothing_came(int64_t nanoseconds) {
  if (nanoseconds < 0) leave(kHung, 0);
  pass(nanoseconds);
  return 0;
}

}  // namespace

void note_waiting() { main_thread = pthread_self(); }
void note_thread() { has_company = true; }
void wait_anew() { ahead = 0; }

}  // namespace worker

// ---- what the unit finds instead of the library's --------------------------------------------------------------

using namespace worker;

#define MOTIF_INSTEAD extern "C" __attribute__((visibility("default")))

MOTIF_INSTEAD int nanosleep(const timespec *time, timespec *rest) {
  static const auto real = next<int (*)(const timespec *, timespec *)>("nanosleep");
  if (!is_alone() || !is_valid(time)) return real(time, rest);
  pass(of(*time));
  return 0;
}

MOTIF_INSTEAD int clock_gettime(clockid_t clock, timespec *now) {
  static const auto real = next<int (*)(clockid_t, timespec *)>("clock_gettime");
  const int result = real(clock, now);
  const bool is_of_time = clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
  if (result || !ahead || !is_of_time || !in_side()) return result;
  const int64_t nanoseconds = now->tv_nsec + ahead % kSecond;
  now->tv_sec += ahead / kSecond + nanoseconds / kSecond;
  now->tv_nsec = nanoseconds % kSecond;
  return 0;
}

MOTIF_INSTEAD int clock_nanosleep(clockid_t clock, int flags, const timespec *time, timespec *rest) {
  static const auto real = next<int (*)(clockid_t, int, const timespec *, timespec *)>("clock_nanosleep");
  if (!is_alone() || !is_valid(time)) return real(clock, flags, time, rest);
  timespec now = {};
  if (flags & TIMER_ABSTIME && clock_gettime(clock, &now)) return errno;
  pass(of(*time) - of(now));
  return 0;
}

MOTIF_INSTEAD int usleep(useconds_t microseconds) {
  static const auto real = next<int (*)(useconds_t)>("usleep");
  if (!is_alone()) return real(microseconds);
  pass(microseconds * kMicrosecond);
  return 0;
}

MOTIF_INSTEAD unsigned sleep(unsigned seconds) {
  static const auto real = next<unsigned (*)(unsigned)>("sleep");
  if (!is_alone()) return real(seconds);
  pass(seconds * kSecond);
  return 0;
}

MOTIF_INSTEAD int gettimeofday(timeval *__restrict now, void *__restrict zone) {
  static const auto real = next<int (*)(timeval *, void *)>("gettimeofday");
  const int result = real(now, zone);
  if (result || !ahead || !in_side()) return result;
  const int64_t microseconds = now->tv_usec + ahead % kSecond / kMicrosecond;
  now->tv_sec += ahead / kSecond + microseconds / 1000000;
  now->tv_usec = microseconds % 1000000;
  return 0;
}

MOTIF_INSTEAD time_t time(time_t *now) {
  timeval precise = {};
  gettimeofday(&precise, nullptr);
  if (now) *now = precise.tv_sec;
  return precise.tv_sec;
}

MOTIF_INSTEAD int select(int count, fd_set *__restrict in, fd_set *__restrict out, fd_set *__restrict odd,
                         timeval *__restrict time) {
  static const auto real = next<int (*)(int, fd_set *, fd_set *, fd_set *, timeval *)>("select");
  if (!is_alone()) return real(count, in, out, odd, time);
  timeval none = {};
  const int64_t most = time ? of(*time) : -1;
  const int ready = real(count, in, out, odd, time && (time->tv_sec < 0 || time->tv_usec < 0) ? time : &none);
  if (ready) return ready;
  if (time) *time = none;
  return nothing_came(most);
}

MOTIF_INSTEAD int pselect(int count, fd_set *__restrict in, fd_set *__restrict out, fd_set *__restrict odd,
                          const timespec *__restrict time, const sigset_t *__restrict mask) {
  using Real = int (*)(int, fd_set *, fd_set *, fd_set *, const timespec *, const sigset_t *);
  static const auto real = next<Real>("pselect");
  if (!is_alone() || (time && !is_valid(time))) return real(count, in, out, odd, time, mask);
  const timespec none = {};
  const int ready = real(count, in, out, odd, &none, mask);
  return ready ? ready : nothing_came(time ? of(*time) : -1);
}

MOTIF_INSTEAD int poll(pollfd *files, nfds_t count, int milliseconds) {
  static const auto real = next<int (*)(pollfd *, nfds_t, int)>("poll");
  if (!is_alone()) return real(files, count, milliseconds);
  const int ready = real(files, count, 0);
  return ready ? ready : nothing_came(milliseconds * kMillisecond);
}

MOTIF_INSTEAD int ppoll(pollfd *files, nfds_t count, const timespec *time, const sigset_t *mask) {
  static const auto real = next<int (*)(pollfd *, nfds_t, const timespec *, const sigset_t *)>("ppoll");
  if (!is_alone() || (time && !is_valid(time))) return real(files, count, time, mask);
  const timespec none = {};
  const int ready = real(files, count, &none, mask);
  return ready ? ready : nothing_came(time ? of(*time) : -1);
}

MOTIF_INSTEAD int epoll_wait(int poller, epoll_event *events, int most, int milliseconds) {
  static const auto real = next<int (*)(int, epoll_event *, int, int)>("epoll_wait");
  if (!is_alone()) return real(poller, events, most, milliseconds);
  const int ready = real(poller, events, most, 0);
  return ready ? ready : nothing_came(milliseconds * kMillisecond);
}

MOTIF_INSTEAD int pause() {
  static const auto real = next<int (*)()>("pause");
  if (is_alone()) leave(kHung, 0);
  return real();
}
