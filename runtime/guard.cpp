// Catches signals, endless loops, exit() and stray exceptions of the code under test inside the process.
#include "worker.hpp"

#include <cxxabi.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

#include <exception>
#include <new>
#include <stdexcept>
#include <typeinfo>

namespace worker {
namespace {

sigjmp_buf way_out;
volatile sig_atomic_t inside;
volatile uint64_t serial, tick_count;
unsigned age, age_most;
uint64_t age_serial;
volatile int caught_ending, caught_detail;
volatile uintptr_t caught_at;
pthread_t main_thread;
volatile int sanitizer_reported;
char report_kind[48];
Hindrances *hindrances;
// The assertion that ended the side.
struct Assertion {
  const char *what, *file;
  unsigned line;
} asserted;
// The end of the stack that sides run on, if it is one of their own, and how much of it they may use.
uint8_t *own_stack;
constexpr size_t kStack = size_t(8) << 20, kNarrow = size_t(1) << 18;
bool narrow, overflown;

// What is running.
struct Side {
  Drive drive;
  motif_input *in;
  motif_record *record;
  Outcome outcome;
} side;

// How a side comes back, if not by returning.
enum Way { kJumped = 1, kDone };

void on_fault(int signal, siginfo_t *info, void *context) {
  if (!inside || !pthread_equal(pthread_self(), main_thread)) {
    // The fault of the worker, or of another thread: the supervisor sees which side ran.
    take_default_action(signal);
    raise(signal);
    return;
  }
#if defined(__x86_64__)
  caught_at = static_cast<uintptr_t>(static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  (void)context;
  caught_at = 0;
#endif
  const size_t below = static_cast<size_t>(own_stack - static_cast<uint8_t *>(info->si_addr));
  overflown = signal == SIGSEGV && own_stack && below > (narrow ? kNarrow : kStack) && below < 2 * kStack;
  leave(sanitizer_reported ? kSanitizer : kCrashed, signal);
}

void on_tick(int) {
  tick_count = tick_count + 1;
  if (!inside) return;
  if (age_serial != serial) {
    age_serial = serial;
    age = 0;
    return;
  }
  if (++age >= age_most && pthread_equal(pthread_self(), main_thread)) leave(kHung, 0);
}

// Whether a reason for failed construction is wanted. The first one is recorded.
bool is_asked_for(const motif_record &record) {
  return hindrances && !hindrances->thrown[0] && record.phase == MOTIF_PHASE_SETUP;
}

void note_thrown() {
  const std::type_info *type = abi::__cxa_current_exception_type();
  if (type) snprintf(hindrances->thrown, sizeof hindrances->thrown, "%s", type->name());
}

}  // namespace

[[noreturn]] void leave(int ending, int detail) {
  caught_ending = ending;
  caught_detail = detail;
  inside = 0;
  siglongjmp(way_out, kJumped);
}

namespace {

__attribute__((noinline)) void fill_stack(int byte) {
  char below[1 << 16];
  memset(below, byte, sizeof below);
  __asm__ volatile("" : : "r"(below) : "memory");
}

__attribute__((noinline)) void drive_side() {
  motif_record &record = *side.record;
  if (record.stack_fill) fill_stack(record.stack_fill & 255);
  try {
    side.drive(side.in, &record);
    motif_record_files(side.in, &record);
    inside = 0;
  } catch (const std::exception &thrown) {
    side.outcome.ending = kUncaught;
    side.outcome.too_large = dynamic_cast<const std::bad_alloc *>(&thrown) != nullptr ||
                             dynamic_cast<const std::length_error *>(&thrown) != nullptr;
    if (is_asked_for(record)) {
      note_thrown();
      // A method of the project: it may fail too.
      const char *said = thrown.what();
      snprintf(hindrances->said, sizeof hindrances->said, "%s", said ? said : "");
    }
    inside = 0;
  } catch (...) {
    inside = 0;
    side.outcome.ending = kUncaught;
    if (is_asked_for(record)) note_thrown();
  }
}

// Back to the other stack, whatever has become of this one.
[[noreturn]] void drive_side_and_jump() {
  drive_side();
  siglongjmp(way_out, kDone);
}

[[noreturn]] void drive_side_on(uint8_t *stack) {
  // As if called from address nought, where whoever walks up the stack stops.
#if defined(__x86_64__)
  __asm__ volatile("mov %0, %%rsp\n\txor %%ebp, %%ebp\n\tpush $0\n\tjmp *%1"
                   :
                   : "r"(stack), "r"(drive_side_and_jump)
                   : "memory");
#else
  __asm__ volatile("mov sp, %0\n\tmov x29, xzr\n\tmov x30, xzr\n\tbr %1"
                   :
                   : "r"(stack), "r"(drive_side_and_jump)
                   : "memory");
#endif
  __builtin_unreachable();
}

// After a jump: no exception is on its way any more.
void forget_exceptions() {
  struct Exceptions {
    void *caught;
    unsigned uncaught;
  };
  Exceptions *const exceptions = reinterpret_cast<Exceptions *>(abi::__cxa_get_globals());
  exceptions->caught = nullptr;
  exceptions->uncaught = 0;
}

}  // namespace

void *guarded_pages(size_t size, int file, bool shared) {
  constexpr size_t kApart = 1 << 20;
  void *room = mmap(nullptr, kApart + size + kApart, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) fail("no memory");
  const int flags = MAP_FIXED | MAP_NORESERVE | (shared ? MAP_SHARED : MAP_PRIVATE) | (file < 0 ? MAP_ANONYMOUS : 0);
  void *memory = mmap(static_cast<uint8_t *>(room) + kApart, size, PROT_READ | PROT_WRITE, flags, file, 0);
  if (memory == MAP_FAILED) fail("cannot map memory");
  return memory;
}

void use_own_stack() {
  uint8_t *const stack = static_cast<uint8_t *>(guarded_pages(kStack));
  ignore_memory(stack, kStack);
  own_stack = stack + kStack;
}

void narrow_stack(bool whether) {
  const int access = whether ? PROT_NONE : PROT_READ | PROT_WRITE;
  if (whether != narrow && mprotect(own_stack - kStack, kStack - kNarrow, access) == 0) narrow = whether;
}

void install_guard() {
  main_thread = pthread_self();
  static uint8_t stack_for_signals[1 << 16];
  stack_t stack = {};
  stack.ss_sp = stack_for_signals;
  stack.ss_size = sizeof stack_for_signals;
  sigaltstack(&stack, nullptr);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  // No mask to restore: leaving the handler by a jump costs no system call.
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) sigaction(signal, &action, nullptr);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  note_surroundings();
  note_waiting();
  note_thread_values();
}

void start_clock() {
  struct sigaction action = {};
  action.sa_handler = on_tick;
  action.sa_flags = SA_ONSTACK | SA_NODEFER | SA_RESTART;
  sigaction(SIGPROF, &action, nullptr);
  // Processor time: a loaded machine causes no hang. The supervisor ends a sleeping side.
  itimerval timer = {};
  timer.it_interval.tv_usec = kTickMicroseconds;
  timer.it_value.tv_usec = kTickMicroseconds;
  setitimer(ITIMER_PROF, &timer, nullptr);
}

Outcome run_side(Drive drive, motif_input &in, motif_record &record, unsigned ticks) {
  side = {drive, &in, &record, {}};
  overflown = false;
  asserted = {};
  motif_record_reset(&record);
  report_kind[0] = 0;
  age_most = ticks;
  serial = serial + 1;
  begin_heap();
  enter_surroundings();
  wait_anew();
  switch (sigsetjmp(way_out, 0)) {
    case 0:
      use_heap(true);
      inside = 1;
      if (own_stack) drive_side_on(own_stack);
      drive_side();
      break;
    case kJumped:
      sanitizer_reported = 0;
      forget_exceptions();
      abandon_heap();
      motif_input_wipe(&in);
      side.outcome.ending = caught_ending;
      side.outcome.detail = caught_detail;
      // A fault during observation is part of the result.
      if (record.phase == MOTIF_PHASE_OBSERVE && side.outcome.ending != kExited) {
        motif_unreadable(&record);
        side.outcome.late = true;
        side.outcome.ending = kReturned;
        side.outcome.detail = 0;
      }
      break;
    default: break;
  }
  use_heap(false);
  leave_surroundings();
  side.outcome.phase = record.phase;
  return side.outcome;
}

bool in_side() { return inside; }
bool overflew() { return overflown; }
bool is_narrow() { return narrow; }
uint64_t ticks() { return tick_count; }
const char *report() { return report_kind; }
void note_report(const char *kind) {
  // The first report is the cause; later ones may be consequences.
  if (report_kind[0] == 0) snprintf(report_kind, sizeof report_kind, "%s", kind && *kind ? kind : "report");
}
void note_hindrances(Hindrances *where) { hindrances = where; }

std::string describe_failure(const Outcome &outcome) {
  std::string said;
  switch (outcome.ending) {
    case kHung: return "not returning in time";
    case kExited: return "exit(" + std::to_string(outcome.detail) + ")";
    case kSanitizer: return "a sanitizer's report";
    default: break;
  }
  switch (outcome.detail) {
    case SIGSEGV: said = overflown ? "SIGSEGV, for lack of stack" : "SIGSEGV"; break;
    case SIGABRT: said = "SIGABRT"; break;
    case SIGFPE: said = "SIGFPE"; break;
    case SIGBUS: said = "SIGBUS"; break;
    case SIGILL: said = "SIGILL"; break;
    default: said = "signal " + std::to_string(outcome.detail); break;
  }
  if (!asserted.what) return said;
  const char *const slash = asserted.file ? strrchr(asserted.file, '/') : nullptr;
  const std::string file = slash ? slash + 1 : asserted.file ? asserted.file : "?";
  return said + ": the assertion `" + asserted.what + "` in " + file + ":" + std::to_string(asserted.line);
}
uintptr_t fault_address() { return caught_at; }

}  // namespace worker

// ---- what the unit finds instead of the library's --------------------------------------------------------------

extern "C" {

#define MOTIF_WRAP_EXIT(name)                                            \
  [[noreturn]] __attribute__((visibility("default"))) void __wrap_##name(int code) { \
    if (worker::inside) worker::leave(worker::kExited, code & 0xff);     \
    _exit(code);                                                         \
  }
MOTIF_WRAP_EXIT(exit)
MOTIF_WRAP_EXIT(_exit)
MOTIF_WRAP_EXIT(_Exit)
MOTIF_WRAP_EXIT(quick_exit)

[[noreturn]] __attribute__((visibility("default"))) void __wrap_abort(void) {
  worker::caught_at = reinterpret_cast<uintptr_t>(__builtin_return_address(0));
  if (worker::inside) worker::leave(worker::kCrashed, SIGABRT);
  abort();
}

// Called by the stub of an undefined symbol.
__attribute__((visibility("default"))) void motif_missing(const char *symbol) {
  if (worker::hindrances) snprintf(worker::hindrances->missing, sizeof worker::hindrances->missing, "%s", symbol);
  worker::caught_at = reinterpret_cast<uintptr_t>(symbol);
  if (worker::inside) worker::leave(worker::kCrashed, SIGABRT);
}

// Without the message, which is slow.
[[noreturn]] __attribute__((visibility("default"))) void __assert_fail(const char *what, const char *file,
                                                                       unsigned line, const char *) noexcept {
  worker::asserted = {what, file, line};
  worker::caught_at = reinterpret_cast<uintptr_t>(what) ^ line;
  if (worker::inside) worker::leave(worker::kCrashed, SIGABRT);
  abort();
}

// Children of a unit would continue as workers. Other ways to start processes are refused by the kernel, see
// confine.h.
__attribute__((visibility("default"))) pid_t fork(void) noexcept {
  static const auto real = worker::next<pid_t (*)()>("fork");
  if (worker::inside) {
    errno = EAGAIN;
    return -1;
  }
  return real();
}

// With a sanitizer: its report is the next event that ends a side.
__attribute__((weak)) const char *__asan_get_report_description(void);
__attribute__((weak)) void __ubsan_get_current_report_data(const char **kind, const char **message, const char **file,
                                                           unsigned *line, unsigned *column, char **address);

__attribute__((visibility("default"))) void __asan_on_error(void) {
  worker::sanitizer_reported = 1;
  worker::note_report(__asan_get_report_description ? __asan_get_report_description() : nullptr);
}
__attribute__((visibility("default"))) void __ubsan_on_report(void) {
  const char *kind = nullptr, *message, *file;
  unsigned line, column;
  char *address;
  if (__ubsan_get_current_report_data) {
    __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  }
  worker::sanitizer_reported = 1;
  worker::note_report(kind);
}

// Faults are caught here, not by the sanitizer. Reports are counted, not symbolised.
#define MOTIF_SANITIZER_OPTIONS                                                                                        \
  "handle_segv=0:handle_sigbus=0:handle_sigfpe=0:handle_sigill=0:handle_abort=0:handle_sigtrap=0:abort_on_error=1:"    \
  "symbolize=0:print_summary=0:allocator_may_return_null=1:"
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
  return MOTIF_SANITIZER_OPTIONS
      "detect_leaks=0:detect_stack_use_after_return=0:detect_odr_violation=0:malloc_context_size=0:"
      "quarantine_size_mb=16:max_allocation_size_mb=1024";
}
__attribute__((visibility("default"))) const char *__ubsan_default_options(void) {
  return MOTIF_SANITIZER_OPTIONS "halt_on_error=1:print_stacktrace=0";
}
__attribute__((visibility("default"))) const char *__lsan_default_options(void) {
  // Leaks without an origin count as the dynamic linker's and are not reported: keep a short call stack.
  return MOTIF_SANITIZER_OPTIONS "malloc_context_size=4:max_allocation_size_mb=1024";
}

}  // extern "C"
