// The search: libFuzzer generates inputs, and every live mutant meets each of them.
#include "worker.hpp"

#include "shared.h"

#include <cxxabi.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <algorithm>

extern "C" int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));

namespace worker {
namespace {

// Half a second for the original, until it is known to return sooner or to hang: such inputs are useless, and many.
constexpr unsigned kOriginalTicks = 25;
constexpr unsigned kOriginalTicksLeast = 3;
constexpr unsigned kFirstRuns = 16;
// A tenth of a second for a mutant of an original that returns at once; replay distinguishes slow from endless.
constexpr unsigned kMutantTicks = 5;
constexpr size_t kRecordSize = 1 << 20;
constexpr size_t kMemoryMost = size_t(1) << 30;
constexpr unsigned kFailedInARow = 500;
// Up to this size all variables are compared after each side; that takes nanoseconds.
constexpr size_t kSmallState = 1024;
constexpr int kLazyMost = 8;
// The most runs of sides for minimising one input: in process, and with a child for each.
constexpr unsigned kPlainRuns = 800, kPlainRunsForked = 120;
// A run that crashes counts as so many.
constexpr unsigned kRunsOfCrash = 2;
// So many mutants that crash on one input have it minimised for each of them, within the runs for one.
constexpr size_t kCrashesMost = 4;
// Of the runs that need more than a narrow stack, one in this many gets the whole one.
constexpr uint64_t kDeepTriedAgain = 64;
// Who allocates so many bytes takes a hundred times as long as others; one such input in so many is worth keeping.
constexpr size_t kCostly = size_t(1) << 20;  // and four times as much as others
constexpr uint64_t kCostlyKeptOneIn = 8;
// Of those that allocate so much fewer are kept, and each makes large numbers rarer.
constexpr size_t kMostCostly = size_t(16) << 20;
constexpr uint64_t kMostCostlyKeptOneIn = 64;
// The first inputs that infect a mutant are all kept, then one for every eighth more.
constexpr uint64_t kKeptAtFirst = 64;

// How sides are kept apart: by putting back variables; by a child for each; by putting back variables and the heap. On
// the seeds only, in one of the last two ways, where memory may be allocated on first use only: that can stay then.
enum Isolation { kInProcess, kForked, kForkedSeeds, kRestoredSeeds, kRestored };

// A mutant that crashed, and by which signal.
struct Crash {
  size_t slot;
  int signal;
};

// The result of a forked child.
struct Handed {
  Outcome outcome;
  motif_record record;
  Hindrances hindrances;
  size_t offset;
  uint32_t field_count;
  motif_field fields[MOTIF_FIELDS_MOST];
};

class Search {
 public:
  int run(const Options &options);
  int one(const uint8_t *data, size_t size);

 private:
  void open(const Options &options);
  void run_seeds(const Options &options);
  bool baseline();
  bool mind_depth(const Mutated &slot);
  void every_side();
  bool differs_again(const Mutated &slot);
  bool same_records();
  bool still_differ(const std::vector<size_t> &differing, std::vector<motif_telling> &telling,
                    std::vector<motif_field> &layout, unsigned &runs);
  void put_up_plain(const std::vector<size_t> &differing, unsigned most);
  bool crashes_on(uint32_t number, const Crash &crash);
  void put_up_plains(const std::vector<size_t> &returning, const std::vector<Crash> &crashing);
  unsigned patience() const;
  unsigned mutants_patience() const;
  void note_length();
  void mind_memory();
  void mind_hang();
  void mind_failures();
  Outcome side(const Mutated &slot, motif_record &record, unsigned ticks);
  Outcome in_process(const Mutated &slot, motif_record &record, unsigned ticks);
  Outcome in_child(const Mutated &slot, motif_record &record, unsigned ticks);
  [[noreturn]] void isolate(Isolation isolation);
  [[noreturn]] void isolate_more();
  [[noreturn]] void fill();
  void settle(const Mutated &slot, motif_record &record, unsigned ticks);
  void note_fault(const Outcome &outcome);
  void note_thrown(const Outcome &outcome);
  void keep_infecting(size_t slot);
  bool write_input(const std::string &path) const;
  void keep_discovery() const;
  void clear_counters();
  // A copy of the counters of coverage, and what puts it back.
  std::vector<uint8_t> covered() const;
  void put_back(const std::vector<uint8_t> &covered);
  void follow();
  void note_input();
  void ask(char what);
  void count_live();
  void count_input(bool returned);
  [[noreturn]] void leave(int code);

  motif_shared *shared_ = nullptr;
  Probes probes_;
  Discoveries discoveries_;
  // So many inputs of the corpus are run again by this worker, and were counted before.
  uint64_t known_ = 0;
  // Runs that made the bytes of inputs different, and how many runs there had been before this worker.
  uint64_t coloured_ = 0, begun_ = 0;
  // Inputs that come nearer to what a comparison wants are kept as well.
  bool nearer_ = false;
  std::string corpus_;
  // Refuse inputs after which the original's objects cannot be destroyed: nobody wants a test of them.
  bool strict_ = false;
  // Fill stale memory alike for each side, since the unit reads it.
  bool fills_ = false;
  // Run mutants whether or not their probes fired, to check the probes.
  bool distrust_ = false;
  // Minimise killing inputs.
  bool plainer_ = false;
  Module unit_;
  Images images_;
  std::vector<Mutated> slots_;
  Mutated original_ = {}, copy_ = {};
  State state_;
  motif_input in_ = {};
  motif_record expected_ = {}, actual_ = {};
  motif_field fields_[MOTIF_FIELDS_MOST];
  struct Failing {
    int ending;
    uintptr_t at;
    uint64_t count;
    std::string said;
  };
  std::vector<Failing> failing_;
  uint64_t failing_most_ = 0;
  // The first exception of what makes its objects.
  Hindrances hindrances_ = {};
  Handed *handed_ = nullptr;
  uint8_t *handed_counters_ = nullptr;
  size_t counters_size_ = 0;
  // The folder for inputs that changed a value, whether or not the result differed.
  std::string infecting_;
  std::vector<uint64_t> next_kept_;
  const uint8_t *data_ = nullptr;
  size_t size_ = 0;
  uint64_t live_ = 0;
  uint64_t looks_ = 0;
  uint64_t minded_ = 0;
  unsigned failed_in_a_row_ = 0;
  // An input on which the original returned.
  std::vector<uint8_t> good_;
  // Hangs of the original; the slowest of the first runs that returned, in ticks; and their number.
  unsigned hangs_ = 0, slowest_ = 0, came_back_ = 0;
  bool worked_ = false;
  uint64_t too_deep_ = 0, costly_ = 0;
  // The least that the original has asked of the heap when it returned.
  size_t least_asked_ = SIZE_MAX;
  // Says how much memory the process has.
  int memory_ = -1;
  // libFuzzer's own memory is not copied to children.
  bool spared_ = true;
  bool forked_ = false, restores_ = false;
  // The signal that the mutant has died of whose input is minimised.
  int crash_ = 0;
  int lazy_ = 0;
  int to_supervisor_ = -1, from_supervisor_ = -1;
};

Search *search;

// Extra coverage features for libFuzzer. It gives up if no input has coverage: the first feature is always set. Then
// two for each live mutant: its change was reached, and it changed a value; the first such input is kept. They are
// scanned for every input, so mutants beyond this number share them.
constexpr size_t kFeatures = 256;
__attribute__((section("__libfuzzer_extra_counters"), used)) uint8_t features[1 + 2 * kFeatures];

int test_one_input(const uint8_t *data, size_t size) {
  features[0] = 1;
  return search->one(data, size);
}

void Search::leave(int code) {
  shared_->at = MOTIF_AT_IDLE;
  // Skip the unit's destructors and libFuzzer's report.
  _exit(code);
}

void Search::open(const Options &options) {
  const int file = ::open(options.text("shared").c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) fail("cannot open the shared memory");
  shared_ = static_cast<motif_shared *>(guarded_pages(sizeof(motif_shared), file, true));
  close(file);
  if (shared_->magic != MOTIF_SHARED_MAGIC) fail("the shared memory is of another version");
  restores_ = shared_->forked == kRestored || shared_->forked == kRestoredSeeds;
  forked_ = shared_->forked == kForked || shared_->forked == kForkedSeeds;
  if (!forked_) be_alone();
  fills_ = shared_->fills || options.number("fills", 0) != 0;
  make_heap(fills_);
  know_blocks();
  note_hindrances(&hindrances_);
  use_own_stack();
  std::string error;
  if (!load(options.text("unit").c_str(), unit_, error)) fail(error);
  original_ = {unit_.unit->original, &unit_, 0};
  copy_ = {unit_.unit->copy, &unit_, 0};
  const std::vector<std::string> sides = options.all("slot");
  if (sides.size() != shared_->slots || sides.size() > MOTIF_SLOTS_MOST) fail("slots do not agree");
  for (const std::string &side : sides) slots_.push_back(images_.find(side, unit_));
  keep_heap();
  probes_.open(options.all("probe"), slots_.size(), shared_);
  discoveries_.open(options.text("times"), unit_.counters, shared_);
  if (shared_->often[0]) known_ = options.number("known", 0);
  infecting_ = options.text("infecting");
  corpus_ = options.text("corpus");
  nearer_ = options.number("nearer", 0) != 0;
  begun_ = shared_->executions;
  next_kept_.resize(slots_.size());
  strict_ = options.number("strict", 0) != 0;
  distrust_ = options.number("distrust", 0) != 0;
  plainer_ = options.number("plain", 0) != 0;
  if (motif_input_create(&in_) != 0) fail("no memory");
  in_.fields = fields_;
  watch_choices(in_);
  ignore_memory(in_.arena, in_.arena_size);
  if (forked_) {
    handed_ = static_cast<Handed *>(guarded_pages(sizeof *handed_, -1, true));
    for (const Stretch &stretch : unit_.counters) counters_size_ += stretch.size;
    if (counters_size_) handed_counters_ = static_cast<uint8_t *>(guarded_pages(counters_size_, -1, true));
  }
  for (motif_record *record : {&expected_, &actual_}) {
    if (motif_record_create(record, kRecordSize) != 0) fail("no memory");
    const size_t room = motif_record_room(kRecordSize);
    ignore_memory(record->bytes, room);
    if (forked_) motif_record_keep_in(record, guarded_pages(room, -1, true), kRecordSize);
  }
  state_.watch(unit_);
  for (const auto &image : images_.all()) state_.watch(image.second);
  // Saved before any call, as in the fresh process that confirms.
  state_.save();
  if (restores_ && !restore_heap()) isolate_more();
  memory_ = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  to_supervisor_ = kept_aside(1);
  from_supervisor_ = kept_aside(0);
}

void Search::count_live() {
  live_ = 0;
  for (size_t i = 0; i < slots_.size(); ++i) live_ += shared_->slot[i].state == MOTIF_SLOT_LIVE;
  if (live_ == 0) leave(0);
}

// For every mutant that lives, what became of the original on this input.
void Search::count_input(bool returned) {
  shared_->returned += returned;
  for (size_t i = 0; i < slots_.size(); ++i) {
    motif_slot &slot = shared_->slot[i];
    if (slot.state != MOTIF_SLOT_LIVE) continue;
    ++slot.executions;
    slot.returned += returned;
  }
}

// Waits for the supervisor's answer.
void Search::ask(char what) {
  char answer = 0;
  // If the unit has closed the pipe, a new worker opens it again; without a supervisor, the worker is killed.
  if (write(to_supervisor_, &what, 1) != 1) _exit(kAgain);
  ssize_t got;
  do got = read(from_supervisor_, &answer, 1);
  while (got < 0 && errno == EINTR);
  if (got != 1) _exit(kAgain);
  if (answer == 's') leave(0);
  if (answer == 'r') leave(kAgain);
  count_live();
}

Outcome Search::in_process(const Mutated &slot, motif_record &record, unsigned ticks) {
  state_.restore();
  if (slot.module->set_mutant) slot.module->set_mutant(slot.number);
  in_.fields = &record == &expected_ ? fields_ : nullptr;
  motif_input_reset(&in_, data_, size_);
  const Outcome outcome = run_side(slot.drive, in_, record, ticks);
  if (overflew() && mind_depth(slot)) return in_process(slot, record, ticks);
  ++looks_;
  if (!outcome.usable() || outcome.late) {
    // What it was about to change is put back, and so is memory that it has given away before it failed.
    bool owns_heap = false;
    if (state_.check(owns_heap)) shared_->flags |= MOTIF_FLAG_STATE;
    if (restores_ ? !is_heap_restored() : owns_heap) isolate_more();
    return outcome;
  }
  if (restores_ || state_.size() <= kSmallState || looks_ < 512 || looks_ % 64 == 0) settle(slot, record, ticks);
  return outcome;
}

// After calls that went too deep: whether to try again on the whole stack. Most never end; a few are only deep, and
// nobody knows but by trying.
bool Search::mind_depth(const Mutated &slot) {
  const bool was_narrow = is_narrow();
  const bool is_mutant = slot.drive != original_.drive || slot.module != original_.module;
  ++too_deep_;
  bool ignored = false;
  state_.check(ignored);
  narrow_stack(!is_mutant && !(was_narrow && too_deep_ % kDeepTriedAgain == 0));
  return was_narrow && !is_narrow();
}

// Checks whether variables changed for the first time.
void Search::settle(const Mutated &slot, motif_record &record, unsigned ticks) {
  bool owns_heap = false;
  if (state_.check(owns_heap)) shared_->flags |= MOTIF_FLAG_STATE;
  if (restores_) {
    if (!is_heap_restored()) isolate_more();
    return;
  }
  if (!owns_heap) return;
  if (shared_->forked != kInProcess && ++lazy_ <= kLazyMost) {
    // State that is created once on first use can stay, unless the next use writes to it.
    state_.save();
    probes_.stay();
    motif_input_reset(&in_, data_, size_);
    const bool writes = writes_to_kept([&] { run_side(slot.drive, in_, record, ticks); });
    bool again = false;
    if (!state_.check(again) && !writes) return;
  }
  isolate_more();
}

// Memory that a variable owns is put back too. At first only on the seeds, which shows whether it is allocated on first
// use only. Where it can't be put back, each side gets a child.
void Search::isolate_more() {
  if (restores_) isolate(shared_->forked == kRestoredSeeds ? kForkedSeeds : kForked);
  switch (shared_->forked) {
    case kInProcess: isolate(kRestoredSeeds);
    case kRestoredSeeds: isolate(kRestored);
    default: isolate(kForked);
  }
}

void Search::isolate(Isolation isolation) {
  shared_->forked = isolation;
  shared_->seeds_done = 0;
  leave(kAgain);
}

// Memory that nobody has written to holds what earlier sides have left there: from now on it is the same for each.
void Search::fill() {
  shared_->fills = 1;
  shared_->seeds_done = 0;
  leave(kAgain);
}

Outcome Search::in_child(const Mutated &slot, motif_record &record, unsigned ticks) {
  handed_->outcome = {};
  handed_->outcome.ending = kCrashed;
  const pid_t parent = getpid(), child = fork();
  if (child < 0) leave(kAgain);
  if (child == 0) {
    be_a_child(parent);
    start_clock();
    clear_counters();
    if (slot.module->set_mutant) slot.module->set_mutant(slot.number);
    motif_input_reset(&in_, data_, size_);
    const Outcome outcome = run_side(slot.drive, in_, record, ticks);
    uint8_t *to = handed_counters_;
    for (const Stretch &stretch : unit_.counters) {
      memcpy(to, stretch.at, stretch.size);
      to += stretch.size;
    }
    handed_->record = record;
    handed_->outcome = outcome;
    handed_->hindrances = hindrances_;
    handed_->offset = in_.offset;
    handed_->field_count = in_.field_count;
    memcpy(handed_->fields, fields_, in_.field_count * sizeof *fields_);
    _exit(0);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    motif_record_reset(&record);
    Outcome outcome;
    outcome.ending = kCrashed;
    outcome.detail = WTERMSIG(status);
    return outcome;
  }
  if (handed_->outcome.ending == kCrashed && handed_->outcome.detail == 0) {
    // It left through an uncaught exit().
    motif_record_reset(&record);
    Outcome outcome;
    outcome.ending = kExited;
    outcome.detail = WEXITSTATUS(status);
    return outcome;
  }
  record = handed_->record;
  hindrances_ = handed_->hindrances;
  in_.offset = handed_->offset;
  in_.field_count = handed_->field_count;
  memcpy(fields_, handed_->fields, in_.field_count * sizeof *fields_);
  if (slot.drive == original_.drive && slot.module == &unit_) {
    const uint8_t *from = handed_counters_;
    for (const Stretch &stretch : unit_.counters) {
      for (size_t i = 0; i < stretch.size; ++i) {
        if (from[i]) stretch.at[i] = from[i];
      }
      from += stretch.size;
    }
  }
  return handed_->outcome;
}

Outcome Search::side(const Mutated &slot, motif_record &record, unsigned ticks) {
  if (fills_) record.stack_fill = 256;
  // What keeps the original from being called, not a mutant.
  note_hindrances(&record == &expected_ ? &hindrances_ : nullptr);
  return forked_ ? in_child(slot, record, ticks) : in_process(slot, record, ticks);
}

std::vector<uint8_t> Search::covered() const {
  std::vector<uint8_t> all;
  for (const Stretch &stretch : unit_.counters) all.insert(all.end(), stretch.at, stretch.at + stretch.size);
  return all;
}

void Search::put_back(const std::vector<uint8_t> &covered) {
  const uint8_t *from = covered.data();
  for (const Stretch &stretch : unit_.counters) {
    memcpy(stretch.at, from, stretch.size);
    from += stretch.size;
  }
}

void Search::clear_counters() {
  for (const Stretch &stretch : unit_.counters) memset(stretch.at, 0, stretch.size);
}

// An exception of the original, or of what makes its objects.
void Search::note_thrown(const Outcome &outcome) {
  const bool exhausts = expected_.threw && strncmp(expected_.exception, "std::bad_alloc", 14) == 0;
  if (outcome.too_large || exhausts) note_too_large();
  if (expected_.threw && ++shared_->thrown == 1) {
    snprintf(shared_->thrown_said, sizeof shared_->thrown_said, "%s", expected_.exception);
  }
  if (outcome.ending != kUncaught || ++shared_->unmade > 1) return;
  int status = 0;
  const Hindrances &found = hindrances_;
  char *const name = abi::__cxa_demangle(found.thrown, nullptr, nullptr, &status);
  const char *const between = found.said[0] ? ": " : "";
  snprintf(shared_->unmade_said, sizeof shared_->unmade_said, "%s%s%s", name ? name : found.thrown, between, found.said);
  free(name);
}

void Search::note_fault(const Outcome &outcome) {
  const int ending = outcome.ending * 1000 + outcome.detail;
  const uintptr_t at = outcome.ending == kCrashed && !forked_ ? fault_address() : 0;
  for (Failing &known : failing_) {
    if (known.ending != ending || known.at != at) continue;
    if (++known.count <= failing_most_) return;
    failing_most_ = known.count;
    snprintf(shared_->failed_said, sizeof shared_->failed_said, "%s", known.said.c_str());
    return;
  }
  if (failing_.size() >= 16) return;
  failing_.push_back({ending, at, 1, describe_failure(outcome)});
  if (!shared_->failed_said[0]) {
    snprintf(shared_->failed_said, sizeof shared_->failed_said, "%s", failing_.back().said.c_str());
  }
  shared_->fault_ending = static_cast<uint32_t>(outcome.ending);
  shared_->fault_detail = static_cast<uint32_t>(outcome.detail);
  ask('f');
}

// Keeps the first inputs that infect a mutant for the search, and ever fewer of the others for the sanitizer pass.
// Their names order inputs across mutants.
void Search::keep_infecting(size_t slot) {
  const uint64_t count = shared_->slot[slot].infected;
  if (infecting_.empty() || !shared_->searching || count < next_kept_[slot]) return;
  next_kept_[slot] = count < kKeptAtFirst ? count + 1 : count + count / 8;
  char name[48];
  snprintf(name, sizeof name, "/%016llx-%03zu", static_cast<unsigned long long>(count), slot);
  if (!write_input(infecting_ + name)) infecting_.clear();
}

bool Search::write_input(const std::string &path) const {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return true;
  const bool is_whole = write(file, data_, size_) == static_cast<ssize_t>(size_);
  close(file);
  return is_whole;
}

// Keeps an input that did something new for the worker after this one: libFuzzer does not, if a mutant has crashed on it.
void Search::keep_discovery() const {
  char name[24];
  snprintf(name, sizeof name, "/%016llx", static_cast<unsigned long long>(shared_->latest));
  write_input(corpus_ + name);
}

void Search::mind_hang() {
  ++hangs_;
  ++shared_->hangs;
  note_hang();
}

// After so many failures: whether what once worked still does.
void Search::mind_failures() {
  data_ = good_.data();
  size_ = good_.size();
  if (!side(original_, expected_, kOriginalTicks).usable()) leave(kAgain);
  failed_in_a_row_ = 0;
}

// The time limit of the original: a hang costs as much as all other inputs together, so only the first one gets the
// full limit, and not even that if other inputs have returned.
unsigned Search::patience() const {
  const unsigned least = kOriginalTicksLeast + 4 * slowest_;
  const unsigned most = shared_->flags & MOTIF_FLAG_RETURNED ? kMutantTicks : kOriginalTicks;
  const unsigned ticks = hangs_ < 2 ? most >> (2 * hangs_) : kOriginalTicksLeast;
  return ticks > least ? ticks : least < kOriginalTicks ? least : kOriginalTicks;
}

// A mutant takes about as long as the original, or it hangs.
unsigned Search::mutants_patience() const {
  const unsigned ticks = kMutantTicks + 4 * slowest_;
  return ticks < kOriginalTicks ? ticks : kOriginalTicks;
}

// The original's requests determine how long inputs may be, whatever its result.
void Search::note_length() {
  const size_t asked = in_.offset < MOTIF_INPUT_MOST ? in_.offset : MOTIF_INPUT_MOST;
  if (asked > shared_->longest) shared_->longest = static_cast<uint32_t>(asked);
}

// Whether a caller sees the same of both sides: the driver's `compare` says so, which finds no difference where no byte differs.
bool Search::same_records() {
  if (motif_same(&expected_, &actual_)) return true;
  const auto compare = unit_.unit->compare;
  return compare && compare(&expected_, &actual_) == 0;
}

// Whether the original and the copy without a mutant agree with the original; on seeds only. False where the original
// fails.
bool Search::baseline() {
  mind_choices(true);
  const Outcome once = side(original_, expected_, patience());
  mind_choices(false);
  note_length();
  if (once.ending == kAvoided) return false;
  if (!once.usable()) {
    if (once.phase == MOTIF_PHASE_SETUP) choice_failed(once.ending == kHung);
    if (once.ending == kHung) mind_hang();
    note_fault(once);
    return false;
  }
  const Outcome twice = side(original_, actual_, kOriginalTicks);
  if (!(once == twice) || !same_records()) {
    if (!fills_ && !forked_) fill();
    if (forked_) {
      shared_->flags |= MOTIF_FLAG_ORIGINAL_DIFFERS;
      return true;
    }
    // What a library makes on first use is there from the second call on. (All of the unit's own is put back.)
    const bool is_settled = twice.usable() && side(original_, expected_, kOriginalTicks) == twice && same_records();
    if (!is_settled) isolate(kForked);
  }
  if (!copy_.drive) return true;
  const Outcome copied = side(copy_, actual_, mutants_patience());
  if (!(twice == copied) || !same_records()) shared_->flags |= MOTIF_FLAG_COPY_DIFFERS;
  return true;
}

// Runs again from a clean state: leftovers of another side must not look like a difference.
bool Search::differs_again(const Mutated &slot) {
  bool owns_heap = false;
  state_.check(owns_heap);
  const Outcome original = in_process(original_, expected_, kOriginalTicks);
  if (!original.usable()) return true;
  state_.check(owns_heap);
  const Outcome mutated = in_process(slot, actual_, mutants_patience());
  state_.check(owns_heap);
  return !(mutated == original) || !same_records();
}

// Whether two signals may have one cause: how a heap is laid out says by which of them wrong memory is found.
static bool is_alike(int one, int other) {
  const auto is_of_memory = [](int signal) { return signal == SIGSEGV || signal == SIGABRT || signal == SIGBUS; };
  return one == other || (is_of_memory(one) && is_of_memory(other));
}

// Whether the original accepts the input, and each of the mutants differs on it by no less than `telling` says, which is
// what they differ by then.
bool Search::still_differ(const std::vector<size_t> &differing, std::vector<motif_telling> &telling,
                          std::vector<motif_field> &layout, unsigned &runs) {
  shared_->at = MOTIF_AT_ORIGINAL;
  probes_.clear();
  const Outcome original = side(original_, expected_, patience());
  // (A hanging side ends it.)
  runs += original.ending == kHung ? kPlainRuns : 1;
  layout.assign(fields_, fields_ + in_.field_count);
  if (!original.usable() || (strict_ && original.late) || expected_.phase == MOTIF_PHASE_SETUP) return false;
  // (What else differs is what earlier calls have left: a fresh process would not show it.)
  const auto is_told = [&](size_t i) { return shared_->slot[i].unforeseen || probes_.fires(i); };
  if (!std::all_of(differing.begin(), differing.end(), is_told)) return false;
  shared_->at = MOTIF_AT_MUTANT;
  std::vector<motif_telling> now;
  for (size_t i : differing) {
    shared_->active = static_cast<uint32_t>(i);
    const Outcome mutated = side(slots_[i], actual_, mutants_patience());
    runs += mutated.ending == kHung ? kPlainRuns : mutated.usable() ? 1 : kRunsOfCrash;
    // What has crashed is to crash again, for the same reason.
    const bool crashed = shared_->slot[i].ending == static_cast<uint32_t>(kCrashed);
    if (crashed && mutated.ending == kCrashed && is_alike(mutated.detail, crash_)) {
      now.push_back(MOTIF_TELLS_CALLER);
      continue;
    }
    if (crashed || !mutated.usable() || (mutated == original && same_records())) return false;
    // That only one of them throws is told.
    now.push_back(mutated == original ? motif_most_telling(&expected_, &actual_) : MOTIF_TELLS_CALLER);
    if (now.back() < telling[now.size() - 1]) return false;
  }
  telling = now;
  return true;
}

// Puts up a minimised input for mutants that differ on the one that was found.
void Search::put_up_plain(const std::vector<size_t> &differing, unsigned most) {
  if (shared_->plain_count == MOTIF_PLAINS_MOST) return;
  const uint8_t *const found = data_;
  const size_t found_size = size_;
  unsigned runs = 0;
  std::vector<motif_telling> telling(differing.size(), MOTIF_TELLS_NOTHING);
  Trial trial;
  trial.differ = [&](const uint8_t *data, size_t size) {
    data_ = data;
    size_ = size;
    const bool still = still_differ(differing, telling, trial.layout, runs);
    trial.tells = MOTIF_TELLS_CALLER;
    for (const motif_telling tells : telling) trial.tells = std::min(trial.tells, tells);
    return still;
  };
  trial.goes_on = [&] { return runs < most && !__atomic_load_n(&shared_->stop, __ATOMIC_RELAXED); };
  const std::vector<uint8_t> plain = make_plain({found, found + found_size}, trial);
  bool differ = trial.differ(plain.data(), plain.size());
  for (size_t i : differing) differ = differ && (forked_ || differs_again(slots_[i]));
  if (differ && !(plain.size() == found_size && std::equal(plain.begin(), plain.end(), found))) {
    const uint32_t number = shared_->plain_count++;
    shared_->plain_size[number] = static_cast<uint32_t>(plain.size());
    std::copy(plain.begin(), plain.end(), shared_->plain[number]);
    for (size_t i : differing) shared_->slot[i].plain = number + 1;
  }
  data_ = found;
  size_ = found_size;
}

// Whether a mutant crashes on a minimised input as well.
bool Search::crashes_on(uint32_t number, const Crash &crash) {
  const uint8_t *const found = data_;
  const size_t found_size = size_;
  data_ = shared_->plain[number];
  size_ = shared_->plain_size[number];
  std::vector<motif_telling> telling(1, MOTIF_TELLS_NOTHING);
  std::vector<motif_field> layout;
  unsigned runs = 0;
  const bool crashes = still_differ({crash.slot}, telling, layout, runs);
  data_ = found;
  size_ = found_size;
  return crashes;
}

// Puts up minimised inputs: one for all that return, and one for each that crashes, unless another's will do.
void Search::put_up_plains(const std::vector<size_t> &returning, const std::vector<Crash> &crashing) {
  const std::vector<uint8_t> did = covered();
  const unsigned most = forked_ ? kPlainRunsForked : kPlainRuns;
  // (Heap damage shows at the next allocation.)
  shared_->at = MOTIF_AT_ORIGINAL;
  if (!returning.empty()) put_up_plain(returning, most);
  for (const Crash &crash : crashing) {
    crash_ = crash.signal;
    uint32_t number = 0;
    while (number < shared_->plain_count && !crashes_on(number, crash)) ++number;
    if (number < shared_->plain_count) {
      shared_->slot[crash.slot].plain = number + 1;
    } else {
      put_up_plain({crash.slot}, most / static_cast<unsigned>(crashing.size()));
    }
  }
  put_back(did);
}

// For who finds out what the worker has died of.
void Search::note_input() {
  shared_->input_size = static_cast<uint32_t>(size_);
  if (size_) memcpy(shared_->input, data_, size_);
}

// Tries next what an input that did something new was compared with.
void Search::follow() {
  const std::vector<motif_field> layout(fields_, fields_ + in_.field_count);
  const uint8_t *const found = data_;
  const size_t found_size = size_;
  const std::vector<uint8_t> did = covered();
  // So many runs may it cost. Where the original runs in a child, what it compared stays there; what a search from
  // earlier inputs counts is never put back.
  const uint64_t before = coloured_, most = (shared_->executions - begun_) / 8 + 64;
  bool goes_on = !forked_ && !nearer_;
  const auto run = [&](const std::vector<uint8_t> &input) {
    data_ = input.data();
    size_ = input.size();
    note_input();
    clear_counters();
    forget_comparisons();
    const Outcome original = side(original_, actual_, patience());
    keep_comparisons();
    ++coloured_;
    goes_on &= original.ending != kHung && !__atomic_load_n(&shared_->stop, __ATOMIC_RELAXED);
    return original.usable() && covered() == did;
  };
  std::vector<uint8_t> input(found, found + found_size);
  if (goes_on) {
    const auto does_the_same = [&](const std::vector<uint8_t> &it) { return goes_on && coloured_ < most && run(it); };
    input = coloured(found, found_size, layout.data(), static_cast<uint32_t>(layout.size()), does_the_same);
    if (coloured_ != before && goes_on) run(input);
  }
  follow_comparisons(input.data(), input.size(), layout.data(), static_cast<uint32_t>(layout.size()));
  data_ = found;
  size_ = found_size;
  note_input();
  put_back(did);
}

void Search::every_side() {
  // (libFuzzer begins with an input of nothing.)
  const bool is_known = shared_->searching && known_ && size_ && known_--;
  shared_->at = MOTIF_AT_ORIGINAL;
  probes_.clear();
  mind_choices(true);
  forget_comparisons();
  const uint64_t begun = ticks();
  const Outcome original = side(original_, expected_, patience());
  mind_choices(false);
  keep_comparisons();
  note_length();
  const size_t asked = heap_asked_for();
  const bool is_costly = asked > kCostly && asked / 4 > least_asked_;
  const bool is_of_use = original.usable() && !(strict_ && original.late) && expected_.phase != MOTIF_PHASE_SETUP;
  note_ending(data_, size_, is_of_use && !is_costly);
  if (!original.usable()) {
    count_input(false);
    // Inputs of this kind lead nowhere, unless none has returned yet: then those that get further are built upon.
    if (shared_->flags & MOTIF_FLAG_RETURNED || original.ending != kCrashed) clear_counters();
    else note_layout(data_, size_, fields_, in_.field_count);
    shared_->at = MOTIF_AT_IDLE;
    if (original.ending == kAvoided) return;
    if (original.phase == MOTIF_PHASE_SETUP) choice_failed(original.ending == kHung);
    if (original.ending == kHung) mind_hang();
    note_fault(original);
    // If it worked before, something may be permanently broken.
    if (++failed_in_a_row_ >= kFailedInARow && worked_) mind_failures();
    return;
  }
  const uint64_t took = ticks() - begun;
  if (!forked_ && ++came_back_ < kFirstRuns && took > slowest_) slowest_ = static_cast<unsigned>(took);
  if (strict_ && original.late) {
    count_input(false);
    clear_counters();
    shared_->at = MOTIF_AT_IDLE;
    return;
  }
  count_input(true);
  least_asked_ = std::min(least_asked_, asked);
  note_thrown(original);
  if (failed_in_a_row_ > 0 || !worked_) good_.assign(data_, data_ + size_);
  failed_in_a_row_ = 0;
  worked_ = true;
  const bool called = expected_.phase != MOTIF_PHASE_SETUP;
  if (called) shared_->flags |= MOTIF_FLAG_REACHED;
  shared_->flags |= MOTIF_FLAG_RETURNED;
  note_layout(data_, size_, fields_, in_.field_count);
  // (What follows from the latest discovery is forgotten where a mutant then crashes and a new worker goes on.)
  const uint64_t key = key_of(data_, size_);
  const bool discovers = shared_->searching && (is_known ? key == shared_->latest : discoveries_.note());
  if (discovers) shared_->latest = key;
  probes_.read();
  // (What its runs note in the probes is of no account.)
  if (discovers) follow();
  std::vector<size_t> differing, returning;
  std::vector<Crash> crashing;
  shared_->at = MOTIF_AT_MUTANT;
  for (size_t i = 0; i < slots_.size(); ++i) {
    motif_slot &slot = shared_->slot[i];
    if (slot.state != MOTIF_SLOT_LIVE) continue;
    const bool fired = probes_.fired(i);
    const bool reached = probes_.of(i).any() ? probes_.reached(i) : called;
    slot.reached += reached;
    slot.infected += fired;
    slot.unforeseen = !fired;
    if (probes_.of(i).any()) {
      features[1 + 2 * (i % kFeatures)] |= reached;
      features[2 + 2 * (i % kFeatures)] |= fired;
    }
    if (fired) keep_infecting(i);
    // (A test has nothing to ask where a call that sets the object up has thrown.)
    if (!called || (!fired && !distrust_)) continue;
    shared_->active = static_cast<uint32_t>(i);
    const Outcome mutated = side(slots_[i], actual_, mutants_patience());
    if (mutated == original && same_records()) continue;
    if (!forked_ && mutated.ending != kHung && !differs_again(slots_[i])) continue;
    slot.ending = static_cast<uint32_t>(mutated.ending);
    // (What hangs is not minimised: it might do so again and again. What crashes is, one mutant at a time.)
    differing.push_back(i);
    if (mutated.usable()) returning.push_back(i);
    if (mutated.ending == kCrashed && crashing.size() < kCrashesMost) crashing.push_back({i, mutated.detail});
    // Hanging mutants take time: results so far are reported before the budget ends.
    if (mutated.ending == kHung && __atomic_load_n(&shared_->stop, __ATOMIC_RELAXED)) break;
  }
  // Few of them are built upon.
  if (is_costly) {
    const bool is_most = asked > kMostCostly;
    if (is_most) note_too_large();
    if (++costly_ % (is_most ? kMostCostlyKeptOneIn : kCostlyKeptOneIn) != 0) clear_counters();
  }
  // (If the worker dies before it reports, the found input can still be judged.)
  for (size_t i : differing) {
    shared_->slot[i].plain = 0;
    shared_->slot[i].state = MOTIF_SLOT_CANDIDATE;
  }
  shared_->plain_count = 0;
  if (plainer_ && !(returning.empty() && crashing.empty())) put_up_plains(returning, crashing);
  shared_->at = MOTIF_AT_IDLE;
  if (differing.empty()) return;
  if (discovers) keep_discovery();
  ask('c');
}

int Search::one(const uint8_t *data, size_t size) {
  if (__atomic_load_n(&shared_->stop, __ATOMIC_RELAXED)) leave(0);
  if (shared_->allowed && shared_->executions >= shared_->allowed * live_) leave(0);
  if (shared_->pause && shared_->executions >= shared_->pause) leave(0);
  if (size > MOTIF_INPUT_MOST) size = MOTIF_INPUT_MOST;
  if (forked_ && !spared_) {
    spared_ = true;
    keep_from_children();
  }
  ++shared_->executions;
  data_ = data;
  size_ = size;
  note_input();
  every_side();
  if (shared_->searching && shared_->look && shared_->executions >= shared_->look) ask('e');
  mind_memory();
  return 0;
}

// Memory that the unit leaks, also by a jump out of a side, adds up.
void Search::mind_memory() {
  if (ticks() - minded_ < 5) return;
  minded_ = ticks();
  char text[64] = "";
  unsigned long pages = 0;
  if (pread(memory_, text, sizeof text - 1, 0) <= 0 || sscanf(text, "%*u %lu", &pages) != 1) return;
  if (pages * 4096 > kMemoryMost) leave(kAgain);
}

void Search::run_seeds(const Options &options) {
  const std::string folder = options.text("seeds");
  const uint64_t count = options.number("seed-count", 0);
  shared_->searching = 0;
  while (shared_->seeds_done < count) {
    char name[32];
    snprintf(name, sizeof name, "/%06llu", static_cast<unsigned long long>(shared_->seeds_done));
    const std::vector<uint8_t> seed = read_file((folder + name).c_str());
    ++shared_->seeds_done;
    data_ = seed.data();
    size_ = seed.size() < MOTIF_INPUT_MOST ? seed.size() : MOTIF_INPUT_MOST;
    note_input();
    shared_->at = MOTIF_AT_ORIGINAL;
    const bool usable = baseline();
    shared_->at = MOTIF_AT_IDLE;
    if (usable) {
      one(data_, size_);
    } else {
      ++shared_->executions;
      count_input(false);
    }
  }
  shared_->searching = 1;
}

int Search::run(const Options &options) {
  open(options);
  read_dictionary(options.text("dictionary").c_str());
  if (options.number("typed", 1) == 0) forget_types();
  if (options.number("compared", 1) == 0) ignore_comparisons();
  silence();
  install_guard();
  start_clock();
  count_live();
  run_seeds(options);
  // Allocated on first use only: the seeds ran with it fresh, the rest need not.
  if (shared_->forked == kForkedSeeds) {
    forked_ = false;
    be_alone();
  } else if (shared_->forked == kRestoredSeeds) {
    restores_ = false;
    state_.restore();
    leave_heap();
  }

  size_t longest = options.number("max-len", 0);
  if (longest == 0) longest = shared_->longest * 2 + 64 < 65536 ? shared_->longest * 2 + 64 : 65536;
  std::vector<std::string> words = {"worker", "-seed=" + options.text("random", "1"),
                                    "-max_len=" + std::to_string(longest), "-len_control=0", "-timeout=0",
                                    "-rss_limit_mb=0", "-malloc_limit_mb=0", "-handle_abrt=0", "-handle_bus=0",
                                    "-handle_fpe=0", "-handle_ill=0", "-handle_int=0", "-handle_segv=0",
                                    "-handle_term=0", "-handle_xfsz=0", "-handle_usr1=0", "-handle_usr2=0",
                                    "-detect_leaks=0", "-verbosity=0", "-reload=0", "-runs=-1",
                                    "-use_value_profile=" + options.text("nearer", "0"),
                                    options.text("corpus")};
  std::vector<char *> pointers;
  for (std::string &word : words) pointers.push_back(&word[0]);
  pointers.push_back(nullptr);
  note_memory();
  spared_ = false;
  int argc = static_cast<int>(words.size());
  char **argv = pointers.data();
  LLVMFuzzerRunDriver(&argc, &argv, test_one_input);
  leave(0);
}

}  // namespace

int fuzz(const Options &options) {
  search = new Search;
  return search->run(options);
}

}  // namespace worker
