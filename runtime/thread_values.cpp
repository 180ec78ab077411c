// Thread-specific values (pthread_key_create, POSIX.1-2024; tss_create, C17 7.26.6): to the sides they are variables
// like others, which are put back. In the library they would outlive each side, with the blocks that they point to.
#include "worker.hpp"

#include <errno.h>
#include <pthread.h>
#include <threads.h>

namespace worker {
namespace {

// So many keys are variables; what is beyond is the library's.
constexpr unsigned kKeys = 24;
// The library's own keys are smaller numbers.
constexpr pthread_key_t kFirst = pthread_key_t(1) << 20;

using End = void (*)(void *);

struct Key {
  bool made;
  End end;
} keys[kKeys];

// Of this thread; only the values of the thread that runs the sides are put back.
__thread void *values[kKeys];
// A thread of the unit ends its values by this key of the library.
pthread_key_t ends_values;
bool can_end;
pthread_t main_thread;

bool is_ours(pthread_key_t key) { return key >= kFirst && key - kFirst < kKeys; }

void end_values(void *) {
  for (unsigned i = 0; i < kKeys; ++i) {
    void *const value = values[i];
    values[i] = nullptr;
    if (value && keys[i].made && keys[i].end) keys[i].end(value);
  }
  // What ending them has set is ended as well.
  for (void *const value : values) {
    if (value) pthread_setspecific(ends_values, keys);
  }
}

int real_create(pthread_key_t *key, End end) {
  static const auto real = next<decltype(&pthread_key_create)>("pthread_key_create");
  return real(key, end);
}

// (A thread that a side has left behind goes on with keys that have been put back.)
bool is_there(unsigned i) { return keys[i].made || !pthread_equal(pthread_self(), main_thread); }

int make_key(pthread_key_t *key, End end) {
  // A key in a variable that is not put back has to stay.
  if (!is_put_back(key)) return real_create(key, end);
  for (unsigned i = 0; i < kKeys; ++i) {
    if (__atomic_exchange_n(&keys[i].made, true, __ATOMIC_ACQ_REL)) continue;
    keys[i].end = end;
    values[i] = nullptr;
    *key = kFirst + i;
    return 0;
  }
  return real_create(key, end);
}

int set_value(pthread_key_t key, const void *value) {
  if (!is_ours(key)) {
    static const auto real = next<decltype(&pthread_setspecific)>("pthread_setspecific");
    return real(key, value);
  }
  if (!is_there(key - kFirst)) return EINVAL;
  values[key - kFirst] = const_cast<void *>(value);
  if (value && can_end && !pthread_equal(pthread_self(), main_thread)) return pthread_setspecific(ends_values, keys);
  return 0;
}

void *value_of(pthread_key_t key) {
  if (is_ours(key)) return is_there(key - kFirst) ? values[key - kFirst] : nullptr;
  static const auto real = next<decltype(&pthread_getspecific)>("pthread_getspecific");
  return real(key);
}

int drop_key(pthread_key_t key) {
  if (!is_ours(key)) {
    static const auto real = next<decltype(&pthread_key_delete)>("pthread_key_delete");
    return real(key);
  }
  if (!keys[key - kFirst].made) return EINVAL;
  keys[key - kFirst] = {};
  return 0;
}

}  // namespace

void note_thread_values() {
  main_thread = pthread_self();
  // Key nought stays free: it is what a variable holds that nobody has made a key in.
  pthread_key_t nought;
  const bool is_made = real_create(&nought, nullptr) == 0;
  can_end = real_create(&ends_values, end_values) == 0;
  if (is_made) drop_key(nought);
}

std::array<Stretch, 2> thread_values() {
  return {{{reinterpret_cast<uint8_t *>(keys), sizeof keys}, {reinterpret_cast<uint8_t *>(values), sizeof values}}};
}

}  // namespace worker

// ---- what everybody finds instead of the library's ---------------------------------------------------------------

#define MOTIF_SEEN __attribute__((visibility("default")))

extern "C" {

MOTIF_SEEN int pthread_key_create(pthread_key_t *key, void (*end)(void *)) noexcept {
  return worker::make_key(key, end);
}
MOTIF_SEEN int pthread_key_delete(pthread_key_t key) noexcept { return worker::drop_key(key); }
MOTIF_SEEN int pthread_setspecific(pthread_key_t key, const void *value) noexcept {
  return worker::set_value(key, value);
}
MOTIF_SEEN void *pthread_getspecific(pthread_key_t key) noexcept { return worker::value_of(key); }
MOTIF_SEEN int tss_create(tss_t *key, tss_dtor_t end) {
  return worker::make_key(key, end) == 0 ? thrd_success : thrd_error;
}
MOTIF_SEEN void tss_delete(tss_t key) { worker::drop_key(key); }
MOTIF_SEEN int tss_set(tss_t key, void *value) {
  return worker::set_value(key, value) == 0 ? thrd_success : thrd_error;
}
MOTIF_SEEN void *tss_get(tss_t key) { return worker::value_of(key); }

}  // extern "C"
