// Restores process state other than variables: locale, floating-point unit, random numbers, environment, working
// directory, umask, signals, timers, standard streams. Each side finds the state of the first one.
//
// Functions that change such state are replaced here: they note the old value and call the library's. So untouched state
// costs one look at a mask; only state that can change without a call is compared after each side.
#include "worker.hpp"

#include <clocale>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <iostream>
#include <locale>
#include <locale.h>
#include <new>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace worker {
namespace {

enum Thing : unsigned {
  kLocale = 1, kRandom = 2, kEnvironment = 4, kFolder = 8, kModes = 16, kHandlers = 32, kMask = 64, kStack = 128,
  kRealTimer = 256, kProfTimer = 512, kVirtualTimer = 1024
};

// The state that the current side has touched; threads of the unit may do so too.
volatile unsigned touched;

// Whether this is the first touch in this side: then the old value must be noted before it changes.
bool first_touch(Thing thing) {
  if (!in_side() || touched & thing) return false;
  touched = touched | thing;
  return true;
}

// ---- the floating-point unit -----------------------------------------------------------------------------------

#if defined(__x86_64__)
constexpr unsigned kFlags = 0x3f;
// Bits of the status word for flags and a non-empty stack, and the result of `fxam` for an empty register.
constexpr unsigned short kStatus = 0x7d7f, kPristine = 0x4100;
unsigned base_control = 0x1f80;
unsigned short base_word = 0x37f;
#else
fenv_t base_environment;
#endif

void note_floats() {
#if defined(__x86_64__)
  base_control = _mm_getcsr() & ~kFlags;
  __asm__ volatile("fnstcw %0" : "=m"(base_word));
#else
  feclearexcept(FE_ALL_EXCEPT);
  fegetenv(&base_environment);
#endif
}

#if defined(__x86_64__)
bool are_slow_floats_pristine() {
  unsigned short word, status;
  __asm__ volatile("fnstcw %0" : "=m"(word));
  __asm__ volatile("fxam\n\tfnstsw %0" : "=a"(status));
  return word == base_word && (status & kStatus) == kPristine;
}
#endif

void put_back_floats() {
#if defined(__x86_64__)
  _mm_setcsr(base_control);
  if (are_slow_floats_pristine()) return;
  __asm__ volatile("fninit\n\tfldcw %0" : : "m"(base_word));
#else
  fesetenv(&base_environment);
#endif
}

// The worker itself must not run with another rounding: it computes with doubles too. The rest is restored before the
// next side.
void put_back_rounding() {
#if defined(__x86_64__)
  if ((_mm_getcsr() & ~kFlags) != base_control) _mm_setcsr(base_control);
#else
  fesetenv(&base_environment);
#endif
}

// ---- the locale ------------------------------------------------------------------------------------------------

constexpr const char *kGlobalLocale = "_ZNSt6locale6globalERKS_";

struct Locales {
  char *name;
  locale_t thread;
  alignas(std::locale) unsigned char global[sizeof(std::locale)];
} locales;

char *real_setlocale(int category, const char *name) {
  static const auto real = next<char *(*)(int, const char *)>("setlocale");
  return real(category, name);
}
locale_t real_uselocale(locale_t locale) {
  static const auto real = next<locale_t (*)(locale_t)>("uselocale");
  return real(locale);
}
std::locale real_global(const std::locale &locale) {
  static const auto real = next<std::locale (*)(const std::locale &)>(kGlobalLocale);
  return real(locale);
}

void touch_locale() {
  if (!first_touch(kLocale)) return;
  locales.name = strdup(real_setlocale(LC_ALL, nullptr));
  locales.thread = real_uselocale(nullptr);
  new (locales.global) std::locale;
}

void put_back_locale() {
  std::locale *global = reinterpret_cast<std::locale *>(locales.global);
  // The C++ locale sets C's if it has a name; C's is set last.
  real_global(*global);
  global->~locale();
  if (locales.name) real_setlocale(LC_ALL, locales.name);
  free(locales.name);
  locales.name = nullptr;
  real_uselocale(locales.thread);
}

// ---- random numbers --------------------------------------------------------------------------------------------

// The library's generators, over state of our own. The library's own state cannot be restored: it may be in memory of
// the unit that no longer exists, and setting another state writes to it.
struct Random {
  random_data data = {};
  alignas(8) char state[128] = {};
  drand48_data rand48 = {};
} randoms;
bool random_made;

void make_random() {
  randoms = {};
  random_made = true;
  initstate_r(1, randoms.state, sizeof randoms.state, &randoms.data);
}

random_data *random_state() {
  if (!random_made) make_random();
  first_touch(kRandom);
  return &randoms.data;
}
drand48_data *rand48_state() {
  if (!random_made) make_random();
  first_touch(kRandom);
  return &randoms.rand48;
}

int32_t draw() {
  int32_t number = 0;
  random_r(random_state(), &number);
  return number;
}

// ---- the environment -------------------------------------------------------------------------------------------

// The variables before any side; the texts belong to the process, and a unit may have written to them.
struct Variable {
  char *at;
  std::string text;
};
std::vector<Variable> variables;
// Our own array replaces the former one: the library frees its own.
std::vector<char *> environment;

void note_environment() {
  variables.clear();
  for (char **at = environ; at && *at; ++at) variables.push_back({*at, *at});
  environment.clear();
  for (const Variable &variable : variables) environment.push_back(variable.at);
  environment.push_back(nullptr);
  environ = environment.data();
}

void put_back_environment() {
  bool changed = environ != environment.data();
  environ = environment.data();
  for (size_t i = 0; i < variables.size(); ++i) {
    const Variable &variable = variables[i];
    const size_t size = variable.text.size() + 1;
    if (environ[i] == variable.at && memcmp(variable.at, variable.text.c_str(), size) == 0) continue;
    changed = true;
    environ[i] = variable.at;
    memcpy(variable.at, variable.text.c_str(), size);
  }
  environ[variables.size()] = nullptr;
  // The library caches TZ.
  if (changed) tzset();
}

// ---- folder, modes, signals, timers ----------------------------------------------------------------------------

int own_folder = -1;
mode_t modes;
sigset_t mask;
stack_t signal_stack;
struct sigaction handlers[NSIG];
bool handled[NSIG];
itimerval timers[3];

int real_sigaction(int signal, const struct sigaction *action, struct sigaction *before) {
  static const auto real = next<int (*)(int, const struct sigaction *, struct sigaction *)>("sigaction");
  return real(signal, action, before);
}
int real_mask(int how, const sigset_t *set, sigset_t *before) {
  static const auto real = next<int (*)(int, const sigset_t *, sigset_t *)>("pthread_sigmask");
  return real(how, set, before);
}

void touch_handler(int signal) {
  if (!in_side() || signal <= 0 || signal >= NSIG || handled[signal]) return;
  touched = touched | kHandlers;
  handled[signal] = real_sigaction(signal, nullptr, &handlers[signal]) == 0;
}

void touch_mask() {
  if (first_touch(kMask)) real_mask(SIG_SETMASK, nullptr, &mask);
}

Thing timer_thing(int which) {
  return which == ITIMER_REAL ? kRealTimer : which == ITIMER_PROF ? kProfTimer : kVirtualTimer;
}

void touch_timer(int which) {
  if (which >= 0 && which < 3 && first_touch(timer_thing(which))) {
    getitimer(static_cast<__itimer_which>(which), &timers[which]);
  }
}

void put_back_timers(unsigned what) {
  static const auto real = next<int (*)(int, const itimerval *, itimerval *)>("setitimer");
  for (int which = 0; which < 3; ++which) {
    if (what & timer_thing(which)) real(which, &timers[which], nullptr);
  }
}

void put_back_handlers() {
  for (int signal = 1; signal < NSIG; ++signal) {
    if (handled[signal]) real_sigaction(signal, &handlers[signal], nullptr);
    handled[signal] = false;
  }
}

// ---- the standard streams --------------------------------------------------------------------------------------

struct Format {
  std::ios *stream;
  std::ios::iostate state;
  std::ios::fmtflags flags;
  std::streamsize precision, width;
  bool is_changed() const {
    return stream->rdstate() != state || stream->flags() != flags || stream->precision() != precision ||
           stream->width() != width;
  }
} formats[4];

FILE *files[3];

void note_streams() {
  files[0] = stdin, files[1] = stdout, files[2] = stderr;
  std::ios *const all[] = {&std::cin, &std::cout, &std::cerr, &std::clog};
  for (size_t i = 0; i < 4; ++i) {
    formats[i] = {all[i], all[i]->rdstate(), all[i]->flags(), all[i]->precision(), all[i]->width()};
  }
}

void put_back_streams() {
  stdin = files[0], stdout = files[1], stderr = files[2];
  for (FILE *file : files) {
    if (feof_unlocked(file) || ferror_unlocked(file)) clearerr_unlocked(file);
  }
  for (const Format &format : formats) {
    if (!format.is_changed()) continue;
    format.stream->exceptions(std::ios::goodbit);
    format.stream->clear(format.state);
    format.stream->flags(format.flags);
    format.stream->precision(format.precision);
    format.stream->width(format.width);
  }
}

void put_back_touched() {
  const unsigned what = touched;
  touched = 0;
  if (what & kMask) real_mask(SIG_SETMASK, &mask, nullptr);
  if (what & kHandlers) put_back_handlers();
  if (what & kStack) sigaltstack(&signal_stack, nullptr);
  if (what & (kRealTimer | kProfTimer | kVirtualTimer)) put_back_timers(what);
  if (what & kLocale) put_back_locale();
  if (what & kRandom) make_random();
  if (what & kModes) umask(modes);
  // In another folder a side would see other files: a new worker starts in the right one.
  if (what & kFolder && fchdir(own_folder) != 0) _exit(kAgain);
  if (what & kEnvironment) put_back_environment();
}

bool has_touched;

}  // namespace

void note_surroundings() {
  own_folder = kept_aside(open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  note_environment();
  note_streams();
  note_floats();
}

bool has_set_timer() { return touched & (kRealTimer | kProfTimer | kVirtualTimer); }

void enter_surroundings() {
  put_back_floats();
  errno = 0;
}

void enter_surroundings_of_fast_floats() {
#if defined(__x86_64__)
  _mm_setcsr(base_control);
#else
  put_back_floats();
#endif
  errno = 0;
}

bool used_slow_floats() {
#if defined(__x86_64__)
  return !are_slow_floats_pristine();
#else
  return false;
#endif
}

void leave_surroundings() {
  has_touched |= touched != 0 || environ != environment.data();
  if (touched) put_back_touched();
  if (environ != environment.data()) put_back_environment();
  put_back_streams();
  put_back_rounding();
}

bool touched_surroundings() {
  const bool whether = has_touched;
  has_touched = false;
  return whether;
}

void take_default_action(int signal) {
  struct sigaction standard = {};
  standard.sa_handler = SIG_DFL;
  real_sigaction(signal, &standard, nullptr);
}

}  // namespace worker

// ---- what the unit finds instead of the library's --------------------------------------------------------------

#define MOTIF_SEEN __attribute__((visibility("default")))

// The library's function of this name.
#define MOTIF_NEXT(name) static const auto real = worker::next<decltype(&name)>(#name)

MOTIF_SEEN std::locale motif_global_locale(const std::locale &locale) __asm__("_ZNSt6locale6globalERKS_");
MOTIF_SEEN std::locale motif_global_locale(const std::locale &locale) {
  worker::touch_locale();
  return worker::real_global(locale);
}

extern "C" {

MOTIF_SEEN char *setlocale(int category, const char *name) noexcept {
  if (name) worker::touch_locale();
  return worker::real_setlocale(category, name);
}
MOTIF_SEEN locale_t uselocale(locale_t locale) noexcept {
  if (locale) worker::touch_locale();
  return worker::real_uselocale(locale);
}

MOTIF_SEEN int rand(void) noexcept { return worker::draw(); }
MOTIF_SEEN long random(void) noexcept { return worker::draw(); }
MOTIF_SEEN void srand(unsigned seed) noexcept { srandom_r(seed, worker::random_state()); }
MOTIF_SEEN void srandom(unsigned seed) noexcept { srandom_r(seed, worker::random_state()); }
MOTIF_SEEN char *initstate(unsigned seed, char *state, size_t size) noexcept {
  random_data *data = worker::random_state();
  char *before = reinterpret_cast<char *>(data->state - 1);
  return initstate_r(seed, state, size, data) == 0 ? before : nullptr;
}
MOTIF_SEEN char *setstate(char *state) noexcept {
  random_data *data = worker::random_state();
  char *before = reinterpret_cast<char *>(data->state - 1);
  return setstate_r(state, data) == 0 ? before : nullptr;
}
MOTIF_SEEN double drand48(void) noexcept {
  double number = 0;
  drand48_r(worker::rand48_state(), &number);
  return number;
}
MOTIF_SEEN double erand48(unsigned short *from) noexcept {
  double number = 0;
  erand48_r(from, worker::rand48_state(), &number);
  return number;
}
MOTIF_SEEN long lrand48(void) noexcept {
  long number = 0;
  lrand48_r(worker::rand48_state(), &number);
  return number;
}
MOTIF_SEEN long nrand48(unsigned short *from) noexcept {
  long number = 0;
  nrand48_r(from, worker::rand48_state(), &number);
  return number;
}
MOTIF_SEEN long mrand48(void) noexcept {
  long number = 0;
  mrand48_r(worker::rand48_state(), &number);
  return number;
}
MOTIF_SEEN long jrand48(unsigned short *from) noexcept {
  long number = 0;
  jrand48_r(from, worker::rand48_state(), &number);
  return number;
}
MOTIF_SEEN void srand48(long seed) noexcept { srand48_r(seed, worker::rand48_state()); }
MOTIF_SEEN unsigned short *seed48(unsigned short *seed) noexcept {
  drand48_data *data = worker::rand48_state();
  seed48_r(seed, data);
  return data->__old_x;
}
MOTIF_SEEN void lcong48(unsigned short *all) noexcept { lcong48_r(all, worker::rand48_state()); }

// The caller may write to the result.
MOTIF_SEEN char *getenv(const char *name) noexcept {
  MOTIF_NEXT(getenv);
  worker::first_touch(worker::kEnvironment);
  return real(name);
}
MOTIF_SEEN char *secure_getenv(const char *name) noexcept {
  MOTIF_NEXT(secure_getenv);
  worker::first_touch(worker::kEnvironment);
  return real(name);
}
MOTIF_SEEN int setenv(const char *name, const char *value, int replace) noexcept {
  MOTIF_NEXT(setenv);
  worker::first_touch(worker::kEnvironment);
  return real(name, value, replace);
}
MOTIF_SEEN int putenv(char *text) noexcept {
  MOTIF_NEXT(putenv);
  worker::first_touch(worker::kEnvironment);
  return real(text);
}
MOTIF_SEEN int unsetenv(const char *name) noexcept {
  MOTIF_NEXT(unsetenv);
  worker::first_touch(worker::kEnvironment);
  return real(name);
}
MOTIF_SEEN int clearenv(void) noexcept {
  MOTIF_NEXT(clearenv);
  worker::first_touch(worker::kEnvironment);
  return real();
}

MOTIF_SEEN int chdir(const char *path) noexcept {
  MOTIF_NEXT(chdir);
  worker::first_touch(worker::kFolder);
  return real(path);
}
MOTIF_SEEN int fchdir(int folder) noexcept {
  MOTIF_NEXT(fchdir);
  worker::first_touch(worker::kFolder);
  return real(folder);
}
MOTIF_SEEN mode_t umask(mode_t modes) noexcept {
  MOTIF_NEXT(umask);
  const mode_t before = real(modes);
  if (worker::first_touch(worker::kModes)) worker::modes = before;
  return before;
}

MOTIF_SEEN int sigaction(int signal, const struct sigaction *action, struct sigaction *before) noexcept {
  if (action) worker::touch_handler(signal);
  return worker::real_sigaction(signal, action, before);
}
MOTIF_SEEN sighandler_t signal(int signal, sighandler_t handler) noexcept {
  static const auto real = worker::next<sighandler_t (*)(int, sighandler_t)>("signal");
  worker::touch_handler(signal);
  return real(signal, handler);
}
// `signal` in strict standard C.
MOTIF_SEEN sighandler_t __sysv_signal(int signal, sighandler_t handler) noexcept {
  MOTIF_NEXT(__sysv_signal);
  worker::touch_handler(signal);
  return real(signal, handler);
}
MOTIF_SEEN int pthread_sigmask(int how, const sigset_t *set, sigset_t *before) noexcept {
  if (set) worker::touch_mask();
  return worker::real_mask(how, set, before);
}
MOTIF_SEEN int sigprocmask(int how, const sigset_t *set, sigset_t *before) noexcept {
  MOTIF_NEXT(sigprocmask);
  if (set) worker::touch_mask();
  return real(how, set, before);
}
MOTIF_SEEN int sigaltstack(const stack_t *stack, stack_t *before) noexcept {
  MOTIF_NEXT(sigaltstack);
  if (stack && worker::first_touch(worker::kStack)) real(nullptr, &worker::signal_stack);
  return real(stack, before);
}
MOTIF_SEEN unsigned alarm(unsigned seconds) noexcept {
  MOTIF_NEXT(alarm);
  worker::touch_timer(ITIMER_REAL);
  return real(seconds);
}
MOTIF_SEEN int setitimer(__itimer_which_t which, const itimerval *value, itimerval *before) noexcept {
  static const auto real = worker::next<int (*)(__itimer_which_t, const itimerval *, itimerval *)>("setitimer");
  worker::touch_timer(static_cast<int>(which));
  return real(which, value, before);
}

}  // extern "C"
