// The worker: a disposable process that runs one unit and its mutants. The parts share these declarations.
#ifndef MOTIF_WORKER_HPP
#define MOTIF_WORKER_HPP

#include "motif_internal.h"

struct motif_shared;

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace worker {

using Drive = void (*)(motif_input *, motif_record *);

// ---- guard.cpp: running one side so that nothing it does ends the worker -------------------------------------

enum Ending { kReturned, kCrashed, kHung, kExited, kUncaught, kSanitizer, kAvoided };

// How a side ended; `detail` is the signal or the exit code.
struct Outcome {
  int ending = kReturned;
  int detail = 0;
  int phase = MOTIF_PHASE_OBSERVE;
  // It returned, and failed while it was looked at or taken down.
  bool late = false;
  bool usable() const { return ending == kReturned || ending == kUncaught; }
  bool operator==(const Outcome &other) const { return ending == other.ending && detail == other.detail; }
};

// Ticks of the processor's clock until a side counts as hung.
constexpr unsigned kTickMicroseconds = 20000;

// Whether a side runs now.
bool in_side();
// Out of the side that runs now.
[[noreturn]] void leave(int ending, int detail);
void install_guard();
void start_clock();
// Stale memory below the stack pointer is what uninitialised variables hold.
void fill_stack(int byte);
Outcome run_side(Drive drive, motif_input &in, motif_record &record, unsigned ticks);
// Times that a side was left by a jump: what it held is lost each time.
uint64_t jumps();
// Of the clock so far.
uint64_t ticks();
// Where is noted what stands in the way of inputs.
struct Hindrances {
  // The symbol that has been called and that nobody defines.
  char missing[256];
  // The type and the text of what was thrown while objects were made.
  char thrown[128], said[256];
};
void note_hindrances(Hindrances *where);
// What a sanitizer called the first thing that it reported in the last side; empty where it had nothing to say.
const char *report();
void note_report(const char *kind);
// Whether the leak checker has found something by now; only in a worker that has one, see replay.cpp.
bool leaks();
// The last step of the confinement, see confine.h: before any code of the unit runs in this process.
void be_alone();
// Of a child that this process made: it goes with its parent, and is alone.
void be_a_child(int parent);
// Where the last fault happened, to tell faults apart.
uintptr_t fault_address();

// A function of the library that the worker has one of its own for.
template <class F>
F next(const char *name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// ---- plain.cpp: what kills, with as little said as possible ------------------------------------------------------

struct Trial {
  // Whether all mutants still differ from the original on an input; it says where the original asked for values.
  std::function<bool(const uint8_t *data, size_t size)> differ;
  std::vector<motif_field> layout;
  // Whether it may cost more.
  std::function<bool()> goes_on;
};

std::vector<uint8_t> make_plain(std::vector<uint8_t> input, Trial &trial);

// ---- surroundings.cpp: what the unit finds in the process besides its variables ---------------------------------

// Once, behind the loading of units: what each side shall find.
void note_surroundings();
// Around each side.
void enter_surroundings();
void leave_surroundings();
// For good: not even if a side does it.
void take_default_action(int signal);

// ---- state.cpp: global variables of the unit and its images ---------------------------------------------------

struct Stretch {
  uint8_t *at;
  size_t size;
};

// A loaded unit or image.
struct Module {
  const motif_unit *unit = nullptr;
  void (*set_mutant)(int) = nullptr;
  std::vector<Stretch> data;      // what the code may write
  std::vector<Stretch> counters;  // coverage
};

// Loads a shared object; the error goes to `error`.
bool load(const char *path, Module &module, std::string &error);

// The code of a mutant: how it is driven, where it is, and its number there.
struct Mutated {
  Drive drive;
  Module *module;
  int number;
};

// Images of mutants, each loaded once however many mutants are in it. They stay where they are.
class Images {
 public:
  // As the command line has it: `copy:NUMBER` of the unit, or `image:NUMBER:PATH`. Ends the process where there is no such mutant.
  Mutated find(const std::string &side, Module &unit);
  // Of those that `find` has loaded.
  const std::deque<std::pair<std::string, Module>> &all() const { return images_; }

 private:
  std::deque<std::pair<std::string, Module>> images_;
};

// Memory of the worker's own that looks like the unit's heap.
void ignore_memory(const void *at, size_t size);

// A child costs as much as its parent has memory: what was allocated between these two calls is not copied for any
// (it must be of no use to them).
void note_memory();
void keep_from_children();

// What changes in `data` is put back before each side.
class State {
 public:
  void watch(const Module &module);
  void save();
  // Puts back what is known to change.
  void restore();
  // Looks for changes; true where there were new ones. `owns_heap` says that a changed word pointed to the heap.
  bool check(bool &owns_heap);
  size_t size() const { return size_; }
  bool changes() const { return !dirty_.empty(); }

 private:
  struct Saved {
    Stretch now;
    std::vector<uint8_t> before;
    std::vector<bool> dirty;
  };
  struct Block {
    uint8_t *now;
    const uint8_t *before;
    size_t size;
  };
  std::vector<Saved> saved_;
  std::vector<Block> dirty_;
  size_t size_ = 0;
};

// ---- mutator.cpp ------------------------------------------------------------------------------------------------

void read_dictionary(const char *path);
// From then on mutations are libFuzzer's alone.
void forget_types();
// The original does not come back on an input: large numbers are rare from then on, the rarer the more such inputs there were.
void note_hang();
// The fields that the original took from this input.
void note_layout(const uint8_t *data, size_t size, const motif_field *fields, uint32_t count);

// ---- choices.cpp: alternatives that fail every time ------------------------------------------------------------

// A run that takes one of them may end as `kAvoided`.
void watch_choices(motif_input &in);
// Before each run: whether it counts.
void mind_choices(bool watching);
// The run that counted has failed before the call under test.
void choice_failed(bool hung);

// ---- probes.cpp: what the original's text notes about its mutants ---------------------------------------------

// The notes of one mutant: numbers of places, or none.
struct Probe {
  int reached = -1;
  int infected = -1;
  bool any() const { return reached >= 0; }
};

class Probes {
 public:
  // As the command line has them, one for each slot: `-`, `REACHED` or `REACHED:INFECTED`.
  void open(const std::vector<std::string> &given, size_t slots, motif_shared *shared);
  bool any() const { return any_; }
  // Before a run of the original whose notes count.
  void clear();
  // Behind it: adds up where the original has been, and keeps what the mutants' runs would write over.
  void read();
  // What that run did now stays for all that follow: so may what a mutant does there.
  void stay();
  bool reached(size_t slot) const;
  // Whether the mutant can differ on that run's input.
  bool fired(size_t slot) const;
  const Probe &of(size_t slot) const { return probes_[slot]; }

 private:
  std::vector<Probe> probes_;
  std::vector<uint8_t> seen_, always_;
  size_t points_ = 0;
  bool any_ = false;
  motif_shared *shared_ = nullptr;
};

// ---- fuzz.cpp, replay.cpp, seeds.cpp, reports.cpp, compare.cpp -------------------------------------------------------------

// The command line as `--name value`.
class Options {
 public:
  Options(int argc, char **argv);
  std::string text(const char *name, const char *otherwise = "") const;
  uint64_t number(const char *name, uint64_t otherwise) const;
  std::vector<std::string> all(const char *name) const;

 private:
  std::vector<std::pair<std::string, std::string>> given_;
};

std::vector<uint8_t> read_file(const char *path);
// Ends the process with a message for the supervisor.
[[noreturn]] void fail(const std::string &message);
// Nothing that the unit prints is kept.
void silence();
void write_all(int file, const char *text, size_t size);
// As JSON, for the supervisor.
void put_outcome(motif_sink &out, const Outcome &outcome);

int fuzz(const Options &options);
int replay(const Options &options);
int seeds(const Options &options);
int reports(const Options &options);
int compare(const Options &options);

constexpr int kFailed = 70;
constexpr int kAgain = 75;

}  // namespace worker

#endif
