// The worker: a disposable process that runs one unit and its mutants. The parts share these declarations.
#ifndef MOTIF_WORKER_HPP
#define MOTIF_WORKER_HPP

#include "motif_internal.h"

struct motif_shared;

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <array>
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
  // It returned, and failed while it was observed or its objects were destroyed.
  bool late = false;
  // What made its objects asked for more memory than there is.
  bool too_large = false;
  bool usable() const { return ending == kReturned || ending == kUncaught; }
  bool operator==(const Outcome &other) const { return ending == other.ending && detail == other.detail; }
};

// Ticks of the processor-time timer until a side counts as hung.
constexpr unsigned kTickMicroseconds = 20000;

// Whether a side is running.
bool in_side();
// Leaves the running side.
[[noreturn]] void leave(int ending, int detail);
void install_guard();
void start_clock();
// From now on sides run on a stack of their own: what runs past the end of an array there soon meets a fault.
void use_own_stack();
// Calls without end cost less on a smaller one.
void narrow_stack(bool whether);
bool is_narrow();
// Whether the last side ran out of stack.
bool overflew();
// `record.stack_fill` says what stale memory below the stack pointer holds.
Outcome run_side(Drive drive, motif_input &in, motif_record &record, unsigned ticks);
// Ticks so far.
uint64_t ticks();
// Where reasons for failing inputs are noted.
struct Hindrances {
  // An undefined symbol that was called.
  char missing[256];
  // Type and message of an exception during construction.
  char thrown[128], said[256];
};
void note_hindrances(Hindrances *where);
// How a side failed, in words: the signal, and the assertion that did not hold.
std::string describe_failure(const Outcome &outcome);
// The first sanitizer report in the last side; empty if there was none.
const char *report();
void note_report(const char *kind);
// Whether the leak checker has found something; only in a worker with one, see replay.cpp.
bool leaks();
// The last step of the confinement, see confine.h: before any code of the unit runs in this process.
void be_alone();
// In a child of this process: it dies with its parent, and is confined.
void be_a_child(int parent);
// The address of the last fault, to distinguish faults.
uintptr_t fault_address();

// The library's version of a function that the worker replaces.
template <class F>
F next(const char *name) {
  return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// `size` bytes of `file`, shared, or with -1 new ones, between pages that nobody may touch: code under test that writes
// past the end of what it has faults there.
void *guarded_pages(size_t size, int file = -1, bool shared = false);

// ---- heap.cpp: memory that sides allocate ------------------------------------------------------------------------

// For this thread and process; filled alike if `fills`.
void make_heap(bool fills);
// From now on it is known how large the blocks are that this thread allocates, in its own heap or the library's; those
// of the library's are filled with a byte.
void know_blocks(int fill = 0);
// Whether this thread allocates there.
void use_heap(bool whether);
// All blocks there outlive the sides.
void keep_heap();
// The same; and whether a run writes to them.
bool writes_to_kept(const std::function<void()> &run);
// From now on all that is kept there is put back before each side; false if that can't be done. No longer. Whether it
// still can.
bool restore_heap();
void leave_heap();
bool is_heap_restored();
// Before a side: drops what earlier ones left there, unless it is still needed.
void begin_heap();
// After a side that was left by a jump.
void abandon_heap();
// How many bytes the last side has allocated, freed or not.
size_t heap_asked_for();

// ---- plain.cpp: what kills, with as little said as possible ------------------------------------------------------

struct Trial {
  // Whether all mutants still differ from the original on an input, by no less telling values than before; also returns
  // where the original read values.
  std::function<bool(const uint8_t *data, size_t size)> differ;
  // What the least telling of them differs by.
  motif_telling tells = MOTIF_TELLS_NOTHING;
  std::vector<motif_field> layout;
  // Whether it may continue.
  std::function<bool()> goes_on;
};

std::vector<uint8_t> make_plain(std::vector<uint8_t> input, Trial &trial);

// ---- surroundings.cpp: what the unit finds in the process besides its variables ---------------------------------

// Called once after units are loaded: the state that each side must find.
void note_surroundings();
// Called around each side.
void enter_surroundings();
void leave_surroundings();
// As `enter_surroundings`, without the registers of `long double`; and whether a side has used these.
void enter_surroundings_of_fast_floats();
bool used_slow_floats();
// Whether there was anything to put back after a side since this was last asked.
bool touched_surroundings();
// Whether the current side has set a timer, which may end its waiting.
bool has_set_timer();
// Permanently, even if a side does it.
void take_default_action(int signal);

// ---- printed.cpp: what the unit writes to standard output -------------------------------------------------------

// Once descriptor 1 is nobody else's: drivers can ask for what is written there.
void listen_to_output();

// ---- waiting.cpp: what only lets time pass ----------------------------------------------------------------------

// Called once, by the thread that runs the sides; and where another one begins: it may be waited for.
void note_waiting();
void note_thread();
// Called before each side: the clocks are right.
void wait_anew();

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

// Whether what stands there is put back before each side, as the variables of units are; also while one is loaded.
bool is_put_back(const void *at);

// Loads a shared object; a failure is described in `error`.
bool load(const char *path, Module &module, std::string &error);

// A mutant: its driver, its side, and its number there.
struct Mutated {
  Drive drive;
  Module *module;
  int number;
};

// Images of mutants, each loaded once however many mutants it has. Their addresses are stable.
class Images {
 public:
  // Finds a side by its argument: `copy:NUMBER` of the unit, or `image:NUMBER:PATH`. Ends the process if there is no
  // such mutant.
  Mutated find(const std::string &side, Module &unit);
  // The images loaded by `find`.
  const std::deque<std::pair<std::string, Module>> &all() const { return images_; }

 private:
  std::deque<std::pair<std::string, Module>> images_;
};

// Memory of the worker that looks like the unit's heap.
void ignore_memory(const void *at, size_t size);

// Forking copies the parent's memory map: memory allocated between these two calls is not copied to children, which
// must not use it.
void note_memory();
void keep_from_children();

// Restores changed variables before each side.
class State {
 public:
  // Watches the thread-specific values.
  State();
  void watch(const Module &module);
  void save();
  // Restores the variables known to change.
  void restore();
  // Looks for changes; returns whether there are new ones. `owns_heap`: a changed word pointed to the heap.
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
  void watch(const Stretch &stretch);

  std::vector<Saved> saved_;
  std::vector<Block> dirty_;
  size_t size_ = 0;
};

// ---- thread_values.cpp: values of threads (pthread_key_create) --------------------------------------------------

// Called once, by the thread that runs the sides.
void note_thread_values();
// Its keys and values, which are among its variables.
std::array<Stretch, 2> thread_values();

// ---- mutator.cpp ------------------------------------------------------------------------------------------------

void read_dictionary(const char *path);
// From now on only libFuzzer's mutations are used.
void forget_types();
// The original hung on an input: large numbers become rarer with each such input.
void note_hang();
// It asked for too much memory, which costs less: large numbers become rarer, and stay.
void note_too_large();
// The fields that the original read from this input.
void note_layout(const uint8_t *data, size_t size, const motif_field *fields, uint32_t count);

uint64_t key_of(const uint8_t *data, size_t size);

// ---- following.cpp: what discoveries were compared with, tried at once --------------------------------------------

// An input that does the same as one that has just run, whose bytes are as different as may be: so that what was compared
// is found in one place. `does_the_same` runs the original.
std::vector<uint8_t> coloured(const uint8_t *data, size_t size, const motif_field *fields, uint32_t count,
                              const std::function<bool(const std::vector<uint8_t> &)> &does_the_same);
// The input that has run last did what none before it has done; the fields are those that the original read from it.
void follow_comparisons(const uint8_t *data, size_t size, const motif_field *fields, uint32_t count);
// An input that follows from one of these, and was not tried yet. False where none of at most so many bytes is left.
bool next_following(size_t most, std::vector<uint8_t> *input);

// ---- comparisons.cpp: what the original looked for ---------------------------------------------------------------

// A number, or a byte if it is so wide, and what it was compared with.
struct Comparison {
  uint64_t seen, wanted;
  size_t width;
};

// From now on they are of no account: for measuring.
void ignore_comparisons();
// Before a run of the original, and after it: what others compare is of no account.
void forget_comparisons();
void keep_comparisons();
// One of what the last run of the original compared; `below(n)` is a random number. False where it compared nothing.
bool some_comparison(const std::function<size_t(size_t)> &below, Comparison *found);
// All that is kept of these, the latest first, each once.
std::vector<Comparison> all_comparisons();

// ---- texts.cpp: the same of texts --------------------------------------------------------------------------------

// No more of a text is kept.
constexpr size_t kTextMost = 32;

// Two texts, or rows of bytes, that were not alike.
struct TextComparison {
  uint8_t text[2][kTextMost];
  uint8_t size[2];
};

// Before a run of the original, and after it.
void forget_texts(bool listens);
void keep_texts();
// One of what the last run of the original compared. False where it compared none.
bool some_text(const std::function<size_t(size_t)> &below, TextComparison *found);
std::vector<TextComparison> all_texts();

// ---- endings.cpp: what inputs die of -----------------------------------------------------------------------------

// An input of which the original dies, kept since it compared new values, is no beginning: replaced by one on
// which it returned. Returns its size.
size_t replace_dead(uint8_t *data, size_t size, size_t most, uint64_t random);

// An input that is about to be changed; where the last change was its end, the one before is taken up again. Returns
// its size.
size_t start_from(uint8_t *data, size_t size, const std::vector<motif_field> &layout);
// Takes back those changes since of which inputs die, but for a few.
void spare(uint8_t *data, size_t size, const std::function<bool(uint32_t chance)> &one_in);
// What became of it.
void note_ending(const uint8_t *data, size_t size, bool returned);

// ---- choices.cpp: alternatives that fail every time ------------------------------------------------------------

// A run that takes a failing alternative may end as `kAvoided`.
void watch_choices(motif_input &in);
// Before each run: whether it counts.
void mind_choices(bool watching);
// The run that counted failed before the call under test.
void choice_failed(bool hung);

// ---- discoveries.cpp: what the original does, and on how many inputs -------------------------------------------

// Counts the edges that the original takes, in classes of how often.
class Discoveries {
 public:
  // In a file, where the next worker for the same driver goes on counting.
  void open(const std::string &path, const std::vector<Stretch> &counters, motif_shared *shared);
  // After a run of the original: whether it did what it had not done before.
  bool note();

 private:
  void count(size_t edge, uint8_t taken);

  std::vector<Stretch> counters_;
  uint8_t *times_ = nullptr;
  motif_shared *shared_ = nullptr;
};

// ---- probes.cpp: what the original's text notes about its mutants ---------------------------------------------

// The notes of one mutant: numbers of places, or none.
struct Probe {
  int reached = -1;
  int infected = -1;
  bool any() const { return reached >= 0; }
};

class Probes {
 public:
  // From the command line, one per slot: `-`, `REACHED` or `REACHED:INFECTED`.
  void open(const std::vector<std::string> &given, size_t slots, motif_shared *shared);
  bool any() const { return any_; }
  // Before a run of the original whose notes count.
  void clear();
  // After it: accumulates the original's places, and keeps notes that the mutants' runs would overwrite.
  void read();
  // The run left permanent state behind: mutants may differ from now on.
  void stay();
  bool reached(size_t slot) const;
  // Whether the mutant can differ on that run's input.
  bool fired(size_t slot) const;
  const Probe &of(size_t slot) const { return probes_[slot]; }
  // As `fired`, of the run that has just ended, without `read`.
  bool fires(size_t slot) const;

 private:
  std::vector<Probe> probes_;
  std::vector<uint8_t> seen_, always_;
  size_t points_ = 0;
  bool any_ = false;
  motif_shared *shared_ = nullptr;
};

// ---- fuzz.cpp, replay.cpp, seeds.cpp, reports.cpp, compare.cpp, exhaust.cpp ----------------------------------------

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
// A copy of a file under a number that a unit hardly comes upon: it may close files that it never opened, or write to them.
int kept_aside(int file);
// Discards the unit's output.
void silence();
void write_all(int file, const char *text, size_t size);
// As JSON, for the supervisor.
void put_outcome(motif_sink &out, const Outcome &outcome);

int fuzz(const Options &options);
int replay(const Options &options);
int seeds(const Options &options);
int reports(const Options &options);
int compare(const Options &options);
int exhaust(const Options &options);

constexpr int kFailed = 70;
constexpr int kAgain = 75;

}  // namespace worker

#endif
