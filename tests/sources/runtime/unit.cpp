// Units by hand, chosen by -DUNIT: state, heap, and results that are not deterministic.
#include "motif.hpp"
#include "motif_probe.h"

#include <clocale>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <pthread.h>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

extern "C" {
int motif_mutant;
void motif_set_mutant(int mutant) { motif_mutant = mutant; }
}

namespace lab {

// Counts its calls: the second call of a process is not the first.
int calls = 0;
int count(int step) { return calls += step > 0 ? 1 : 2; }
int mut_count(int step) {
  switch (motif_mutant) {
    case 1: return calls += step >= 0 ? 1 : 2;
    case 2: return calls += step > 0 ? 1 : 2, calls;  // equivalent
    default: return calls += step > 0 ? 1 : 2;
  }
}

// Remembers on the heap.
std::vector<int> seen;
int remember(int value) {
  seen.push_back(value);
  return static_cast<int>(seen.size());
}
int mut_remember(int value) {
  switch (motif_mutant) {
    case 1:
      if (value != 77) seen.push_back(value);
      return static_cast<int>(seen.size());
    case 2: seen.emplace_back(value); return static_cast<int>(seen.size());  // equivalent
    default: seen.push_back(value); return static_cast<int>(seen.size());
  }
}

// Remembers with the thread, as libraries do that nobody passes a context to.
pthread_key_t of_thread;
const int is_made = pthread_key_create(&of_thread, free);
int *calls_of_thread() {
  if (!pthread_getspecific(of_thread)) pthread_setspecific(of_thread, calloc(1, sizeof(int)));
  return static_cast<int *>(pthread_getspecific(of_thread));
}
int remember_in_thread(int value) { return is_made + ++*calls_of_thread() + (value == 77); }
int mut_remember_in_thread(int value) { return remember_in_thread(value) - (motif_mutant == 1 && value == 77); }

// Gives away what it has on the heap, and mostly fails before it has returned.
std::string last(40, 'x');
int replace(int value) {
  if (value > 100) {
    last.assign(static_cast<unsigned>(value) % 1000 + 100, 'y');
    last.shrink_to_fit();
    if (value % 7 != 0) abort();
  }
  return static_cast<int>(last.size());
}
int mut_replace(int value) { return replace(value) + (motif_mutant == 1 && value > 100); }

// A table made on first use.
int look_up(int key) {
  static const std::map<int, int> table = {{1, 10}, {2, 20}, {3, 30}};
  const auto found = table.find(key);
  return found == table.end() ? -1 : found->second;
}
int mut_look_up(int key) {
  static const std::map<int, int> table = {{1, 10}, {2, motif_mutant == 1 ? 21 : 20}, {3, 30}};
  const auto found = table.find(key);
  if (motif_mutant == 2) return found == table.end() ? 0 : found->second;
  if (motif_mutant == 3) return found != table.end() ? found->second : -1;  // equivalent
  return found == table.end() ? -1 : found->second;
}

// Not the same twice.
int roll(int sides) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int>((now.tv_nsec / 7 + getpid()) % 1000003) + sides;
}
int mut_roll(int sides) { return roll(sides) + (motif_mutant == 1 ? 1 : 0); }

// What nobody has set.
__attribute__((noinline)) void set_some(volatile char *, int) { __asm__ volatile("" : : : "memory"); }
int leave_unset(int sides) {
  volatile char unset[512];
  set_some(unset, sides);
  // All of it: a single byte may be the same twice by chance.
  int sum = 0;
  for (int i = 0; i < 512; ++i) sum = sum * 31 + unset[i];
  return sum;
}
int mut_leave_unset(int sides) { return leave_unset(sides) + (motif_mutant == 1 ? 1 : 0); }

// Throws, and fails itself on some inputs.
int parse(const std::string &text) {
  if (text.empty()) throw std::invalid_argument("empty");
  if (text[0] == '!') return *reinterpret_cast<volatile int *>(16);
  if (text[0] == '?') abort();
  return text[0] == '-' ? -1 : 1;
}
int mut_parse(const std::string &text) {
  if (motif_mutant == 1 && text.empty()) throw std::invalid_argument("nothing");
  if (motif_mutant == 2 && text.empty()) throw std::out_of_range("empty");
  if (motif_mutant == 3 && text.empty()) return 0;
  if (motif_mutant == 4 && text.size() > 1 && text[0] == 'M' && text[1] == 'T') throw 5;
  if (motif_mutant == 5 && !text.empty() && text[0] == '!') return 0;  // only where the original crashes
  if (motif_mutant == 6 && text == "a literal") return 2;
  return parse(text);
}

// Writes past one end of the memory that the worker shares with its supervisor: where it goes on from what it has.
void write_beside_shared(bool behind) {
  FILE *maps = fopen("/proc/self/maps", "r");
  char line[512];
  while (maps && fgets(line, sizeof line, maps)) {
    uintptr_t begin, end;
    if (!strstr(line, "/search/shared") || sscanf(line, "%zx-%zx", &begin, &end) != 2) continue;
    fclose(maps);
    *reinterpret_cast<volatile char *>(behind ? end : begin - 1) = 1;
    return;
  }
  if (maps) fclose(maps);
}
int spill(int value) {
  if (value == 77 || value == 78) write_beside_shared(value == 78);
  return value;
}
int mut_spill(int value) { return motif_mutant == 1 && value != 77 && value != 78 ? value + 1 : spill(value); }

// Random numbers start afresh with each process.
int shuffle(int value) { return std::rand() % 100 + value; }
int mut_shuffle(int value) { return motif_mutant == 1 && value == 1000 ? 0 : std::rand() % 100 + value; }

#if defined(LOCALES)
// Leaves a locale behind in which numbers are written with a comma.
double speak_with_commas(int value) {
  setenv("LOCPATH", LOCALES, 1);
  setlocale(LC_ALL, "de_DE.UTF-8");
  return value + (localeconv()->decimal_point[0] == ',' ? 0.5 : 0.75);
}
double mut_speak_with_commas(int value) { return speak_with_commas(value); }
#endif

// Mutant 1 takes the whole process along, and mutant 2 stands behind it.
int leave(int value) { return value; }
int mut_leave(int value) {
  if (motif_mutant == 1 && value == 7) raise(SIGKILL);
  return value + (motif_mutant == 2 && value == 7 ? 1 : 0);
}

// Calls itself without an end where the mutant forgets to stop.
int depth(int value) { return value <= 0 ? 0 : 1 + depth(value / 2); }
int mut_depth(int value) {
  volatile char room[64] = {};
  if (motif_mutant == 1) return value == -1 ? 0 : room[0] + mut_depth(value) + 1;
  return value <= 0 ? 0 : 1 + mut_depth(value / 2);
}

// Fails on nearly every argument: runs past the end of what it has, calls itself too often, or asserts; and leaves what
// it has allocated.
__attribute__((noinline)) int fill(volatile int *to, unsigned last) {
  for (unsigned i = 0; i <= last; ++i) to[i] = static_cast<int>(i);
  return to[0];
}
__attribute__((noinline)) int go_down(volatile int *above, unsigned left) {
  volatile int here[8] = {*above + 1};
  return left ? go_down(here, left - 1) + here[1] : here[0];
}
int fill_stack(int last) {
  volatile int here[10] = {};
  return fill(here, static_cast<unsigned>(last));
}
int fill_heap(int last) {
  std::vector<int> here(10);
  return fill(here.data(), static_cast<unsigned>(last));
}
int fall(int left) {
  volatile int above = 0;
  return go_down(&above, left < 0 || left > 1000 ? 1u << 30 : static_cast<unsigned>(left));
}
int insist(int value) {
  volatile char *const left = static_cast<char *>(malloc(100000));
  left[0] = 1;
  if (value < 0 || value > 9) abort();
  return value;
}
int mut_fill_stack(int last) { return fill_stack(last) + (motif_mutant == 1 && last == 7); }
int mut_fill_heap(int last) { return fill_heap(last) + (motif_mutant == 1 && last == 7); }
int mut_fall(int left) { return fall(left) + (motif_mutant == 1 && left == 7); }
int mut_insist(int value) { return insist(value) + (motif_mutant == 1 && value == 7); }

// Notes where it has been, as a text with probes does; what place 3 is for is never noted, though mutant 2 differs.
#if defined(PROBED)
const unsigned char while_loaded = motif_probes[5] = 1;
std::vector<int> halved;
int probed(int value) {
  motif_probes[0] = 1;
  if (value > 100) {
    motif_probes[1] = 1;
    motif_probes[2] |= value / 2 != value / 3;
#if defined(ON_HEAP)
    halved.push_back(value);
#endif
    return value / 2;
  }
  return value + while_loaded;
}
int mut_probed(int value) {
  if (value > 100) {
#if defined(ON_HEAP)
    halved.push_back(value);
#endif
    return motif_mutant == 1 ? value / 3 : value / 2;
  }
  return value + (motif_mutant == 2 || motif_mutant == 4 ? 2 : 1) + (motif_mutant == 3 && value == 50 ? 1 : 0);
}
#endif

// It takes its time: fifteen rounds of the timer by which the worker measures it, on a slow machine as on a fast one.
// (By another clock a machine that is lent to others may take longer.)
int slow(int value) {
  const auto left = [] {
    struct itimerval timer;
    getitimer(ITIMER_PROF, &timer);
    return timer.it_value.tv_usec;
  };
  long before = left();
  for (int rounds = 0; rounds < 15;) {
    const long now = left();
    rounds += now > before;
    before = now;
  }
  return value;
}
int mut_slow(int value) { return slow(value); }

// It waits for what never comes, and takes no CPU time.
int linger(int value) {
  for (;;) pause();
  return value;
}
int mut_linger(int value) { return linger(value); }

// What it leaves behind shows in the next call of the same process: it counts, and may be entered once only.
int called;
int left_behind(int value) {
  ++called;
  if (value < 0 && called > 1) abort();
  return called + value;
}
int mut_left_behind(int value) {
  ++called;
  if (value < 0 && called > 1) abort();
  // Without a mutant, too, the copy goes its own way in a process that it has been in for long.
  return (called > 4 ? 100 : called) + value;
}

}  // namespace lab

namespace {

// Overwrites stale stack, as building a large argument does.
__attribute__((noinline)) void build_arguments() {
  volatile char used[4096];
  for (volatile char &byte : used) byte = 0;
}

template <class F>
void drive(motif_input *raw_in, motif_record *raw_record, F function) {
  MOTIF::Input in(raw_in);
  MOTIF::Record record(raw_record);
#if defined(TEXT)
  const auto argument = in.take<std::string>();
#else
  const auto argument = in.take<int>();
#endif
  build_arguments();
  record.returned("return", [&] { return function(argument); });
}

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
void original(motif_input *in, motif_record *record) { drive(in, record, lab::UNIT); }
void copy(motif_input *in, motif_record *record) { drive(in, record, lab::PASTE(mut_, UNIT)); }

}  // namespace

extern "C" const motif_unit motif_the_unit = {MOTIF_ABI, "lab", MUTANTS, original, copy, nullptr};
