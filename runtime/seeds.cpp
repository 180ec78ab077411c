// Runs the original, and the copy with no active mutant, on every seed: which seeds are usable, and are the results the
// same each time?
//
// A process per run would cost more than the runs. So one process runs all seeds, a second one does the same again, and
// so on. A seed that ends badly, or on which two processes disagree, is run again with a process per run, since an
// earlier seed may be the cause.
#include "worker.hpp"

#include <cxxabi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace worker {
namespace {

// The passes over the seeds, in this order.
enum Pass { kFirst, kAgain, kStale, kCopy, kPasses };

// The fill of stale memory in `kStale`.
constexpr int kFill = 0xd7;
// Seeds wait a full second if none returns sooner, otherwise as long as other inputs. Hanging seeds are many: after
// the first few the wait is short, unless returning seeds were slow too.
constexpr unsigned kPatient = 50, kQuick = 5, kImpatient = 3;
constexpr unsigned kHangsWaitedFor = 3, kHangsInVain = 8;
// A unit that is slow on every seed would take all the time; after this many CPU seconds the other seeds are skipped.
// One that waits takes no CPU time: after a first long wait the others are short, and their number is limited.
constexpr double kMost = 10;
constexpr unsigned kWait = 1, kWaitsMost = 8;
constexpr size_t kRecord = 1 << 20, kRecords = size_t(64) << 20;

// One seed's results, shared with the processes that run it.
struct Seen {
  Outcome outcome;
  bool done;
  // It ran first in its process.
  bool fresh;
  size_t taken;
  // The place of the first pass's record in the shared memory.
  size_t at, used;
  uint32_t named;
  bool same[kPasses];
};

struct Head {
  unsigned hangs;
  // Seeds that only an alarm has ended.
  unsigned waits;
  // Some seed returned; none returned at once.
  bool came_back, patient;
  // The longest run that returned, in ticks.
  unsigned slowest;
  // The process has exited.
  bool ended;
  size_t records;
  Hindrances hindrances;
};

class Seeds {
 public:
  explicit Seeds(const Options &options) {
    std::string error;
    if (!load(options.text("unit").c_str(), unit_, error)) fail(error);
    const std::string twin = options.text("twin");
    twin_ = {unit_.unit->copy, &unit_, 0};
    if (!twin.empty()) twin_ = images_.find(twin, unit_);
    seconds_ = static_cast<unsigned>(options.number("seconds", 5));
    for (const std::string &path : options.all("input")) inputs_.push_back(read_file(path.c_str()));
    for (const Stretch &stretch : unit_.counters) counters_ += stretch.size;
    const size_t size = sizeof(Head) + inputs_.size() * sizeof(Seen) + counters_ + kRecords + 2 * motif_record_room(kRecord);
    void *shared = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (shared == MAP_FAILED) fail("no memory");
    head_ = static_cast<Head *>(shared);
    note_hindrances(&head_->hindrances);
    seen_ = reinterpret_cast<Seen *>(head_ + 1);
    met_ = reinterpret_cast<uint8_t *>(seen_ + inputs_.size());
    records_ = aligned(met_ + counters_);
    if (motif_input_create(&in_) || motif_record_create(&record_, kRecord - 1)) fail("no memory");
  }

  void look() {
    first();
    // More time might help.
    if (head_->hangs > 0 && !head_->came_back) {
      head_->patient = true;
      head_->hangs = 0;
      first();
    }
    for (int pass = kAgain; pass < kPasses; ++pass) all(static_cast<Pass>(pass));
    for (size_t seed = 0; seed < inputs_.size(); ++seed) {
      if (seen_[seed].outcome.usable() && !agrees(seed) && left() > 0) alone(seed);
    }
  }

  void put(motif_sink &out) const {
    motif_sink_text(&out, "{\"inputs\":[");
    for (size_t seed = 0; seed < inputs_.size(); ++seed) {
      const Seen &seen = seen_[seed];
      motif_sink_text(&out, seed ? ",{" : "{");
      put_outcome(out, seen.outcome);
      motif_sink_text(&out, seen.same[kAgain] ? ",\"deterministic\":true" : ",\"deterministic\":false");
      motif_sink_text(&out, seen.same[kStale] ? ",\"steady\":true" : ",\"steady\":false");
      motif_sink_text(&out, seen.same[kCopy] ? ",\"copy_agrees\":true" : ",\"copy_agrees\":false");
      motif_sink_text(&out, seen.used ? ",\"recorded\":true" : ",\"recorded\":false");
      motif_sink_text(&out, ",\"taken\":");
      motif_sink_number(&out, static_cast<long long>(seen.taken));
      motif_sink_text(&out, "}");
    }
    size_t covered = 0;
    for (size_t i = 0; i < counters_; ++i) covered += met_[i] != 0;
    motif_sink_text(&out, "],");
    put_name(out, "missing", head_->hindrances.missing);
    put_name(out, "thrown", head_->hindrances.thrown);
    if (head_->hindrances.said[0]) {
      motif_sink_text(&out, "\"said\":");
      motif_sink_json(&out, head_->hindrances.said);
      motif_sink_text(&out, ",");
    }
    motif_sink_text(&out, "\"edges\":");
    motif_sink_number(&out, static_cast<long long>(counters_));
    motif_sink_text(&out, ",\"covered\":");
    motif_sink_number(&out, static_cast<long long>(covered));
    motif_sink_text(&out, "}\n");
  }

 private:
  // The demangled name.
  static void put_name(motif_sink &out, const char *key, const char *mangled) {
    if (!mangled[0]) return;
    int status = 0;
    char *name = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
    motif_sink_json(&out, key);
    motif_sink_text(&out, ":");
    motif_sink_json(&out, name ? name : mangled);
    motif_sink_text(&out, ",");
    free(name);
  }

  // The first pass; seeds that ended badly after others run again.
  void first() {
    head_->records = 0;
    all(kFirst);
    for (size_t seed = 0; seed < inputs_.size(); ++seed) {
      const Seen &seen = seen_[seed];
      const bool known = seen.outcome.ending == kHung && head_->hangs >= kHangsWaitedFor;
      if (seen.done && !seen.outcome.usable() && !seen.fresh && !known && left() > 0) some(kFirst, seed, seed + 1);
    }
  }

  // Consecutive hangs justify a longer wait for the others.
  bool in_vain() const { return !head_->patient && !head_->came_back && head_->hangs >= kHangsInVain; }

  bool agrees(size_t seed) const {
    return seen_[seed].same[kAgain] && seen_[seed].same[kStale] && seen_[seed].same[kCopy];
  }

  // A pass over all seeds, in as few processes as possible.
  void all(Pass pass) {
    for (size_t seed = 0; seed < inputs_.size() && !(pass == kFirst && in_vain());) {
      if (left() > 0) {
        seed = some(pass, seed, inputs_.size());
      } else {
        leave(pass, seed++);
      }
    }
  }

  // A seed without time left: not a seed to start with, but not rejected either if it has run.
  void leave(Pass pass, size_t seed) {
    Seen &seen = seen_[seed];
    if (pass == kFirst) seen.outcome.ending = kHung;
    seen.same[pass] = true;
    seen.done = true;
  }

  // The CPU seconds left for all seeds; none where it was waited in vain for too many.
  double left() const { return head_->waits < kWaitsMost ? kMost - used(RUSAGE_CHILDREN) : 0; }

  static double used(int who) {
    rusage usage = {};
    getrusage(who, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
  }

  // One seed with a process per run. Stale memory is varied only if it is deterministic otherwise.
  void alone(size_t seed) {
    for (int pass = kFirst; pass < kPasses; ++pass) {
      if (pass == kStale && !seen_[seed].same[kAgain]) {
        seen_[seed].same[kStale] = true;
      } else {
        some(static_cast<Pass>(pass), seed, seed + 1);
      }
    }
  }

  // Runs seeds from `from` in one process; returns the first that has not run.
  size_t some(Pass pass, size_t from, size_t to) {
    for (size_t seed = from; seed < to; ++seed) seen_[seed].done = seen_[seed].fresh = false;
    seen_[from].fresh = true;
    head_->ended = false;
    const double most = left();
    const pid_t parent = getpid(), child = fork();
    if (child < 0) fail("cannot fork");
    if (child == 0) {
      be_a_child(parent);
      if (pass == kStale) know_blocks(kFill);
      for (size_t seed = from; seed < to; ++seed) {
        // A seed that ended badly may have left anything behind.
        if (!run(pass, seed) || used(RUSAGE_SELF) > most) break;
      }
      head_->ended = true;
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
    }
    size_t seed = from;
    while (seed < to && seen_[seed].done) ++seed;
    if (head_->ended) return seed;
    // The process ended in this seed.
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    Outcome outcome;
    outcome.ending = signal == SIGALRM ? kHung : signal ? kCrashed : kExited;
    head_->waits += signal == SIGALRM;
    outcome.detail = signal ? signal : WEXITSTATUS(status);
    record_.used = record_.named = 0;
    ended(pass, seed, outcome, record_);
    return seed + 1;
  }

  unsigned patience() const {
    const unsigned least = kImpatient + 4 * head_->slowest;
    const unsigned most = head_->patient ? kPatient : kQuick;
    const unsigned ticks = head_->hangs < kHangsWaitedFor ? most >> (2 * head_->hangs) : 0;
    return ticks > least ? ticks : least < kPatient ? least : kPatient;
  }

  // In the child. Returns false if no other seed may follow in this process.
  bool run(Pass pass, size_t seed) {
    Seen &seen = seen_[seed];
    if (pass != kFirst && (!seen.outcome.usable() || (pass == kCopy && !twin_.drive))) {
      for (int later = pass; later < kPasses; ++later) seen.same[later] = true;
      return seen.done = true;
    }
    start_clock();
    alarm(head_->waits ? kWait : seconds_);
    if (twin_.module->set_mutant) twin_.module->set_mutant(0);
    motif_input_reset(&in_, inputs_[seed].data(), inputs_[seed].size());
    if (pass == kStale) {
      in_.fill = static_cast<uint8_t>(kFill ^ 0xa5);
      record_.stack_fill = 256 + kFill;
    }
    const Drive drive = pass == kCopy ? twin_.drive : unit_.unit->original;
    const uint64_t begun = ticks();
    const Outcome outcome = run_side(drive, in_, record_, pass == kFirst ? patience() : kPatient);
    const unsigned took = static_cast<unsigned>(ticks() - begun);
    if (outcome.usable() && took > head_->slowest) head_->slowest = took;
    head_->came_back = head_->came_back || outcome.usable();
    uint8_t *to = met_;
    for (const Stretch &stretch : unit_.counters) {
      for (size_t i = 0; i < stretch.size; ++i) to[i] |= stretch.at[i];
      to += stretch.size;
    }
    ended(pass, seed, outcome, record_);
    return outcome.usable() && !outcome.late;
  }

  static uint8_t *aligned(uint8_t *at) { return at + (-reinterpret_cast<uintptr_t>(at)) % sizeof(void *); }

  // The record of a seed's first pass, where it is kept: its names behind its bytes.
  motif_record kept(const Seen &seen) const {
    motif_record record = {};
    record.bytes = records_ + seen.at;
    record.names = reinterpret_cast<const char **>(aligned(record.bytes + seen.used));
    record.used = seen.used;
    record.named = seen.named;
    return record;
  }

  bool same_records(const Seen &seen, motif_record &record) const {
    motif_record first = kept(seen);
    if (motif_same(&first, &record)) return true;
    const auto compare = unit_.unit->compare;
    return compare && compare(&first, &record) == 0;
  }

  void ended(Pass pass, size_t seed, const Outcome &outcome, motif_record &record) {
    Seen &seen = seen_[seed];
    head_->hangs += outcome.ending == kHung;
    if (pass == kFirst) {
      seen.outcome = outcome;
      seen.taken = in_.offset;
      // If all records together are too large, the last ones are compared alone: there is room for one more.
      seen.at = head_->records < kRecords ? head_->records : kRecords;
      seen.used = record.used;
      seen.named = record.named;
      const motif_record first = kept(seen);
      memcpy(first.bytes, record.bytes, record.used);
      memcpy(first.names, record.names, record.named * sizeof *first.names);
      head_->records = static_cast<size_t>(aligned(reinterpret_cast<uint8_t *>(first.names + first.named)) - records_);
    } else {
      seen.same[pass] = outcome == seen.outcome && same_records(seen, record);
    }
    seen.done = true;
  }

  Module unit_;
  Images images_;
  // The copy or image with no active mutant, which must behave like the original.
  Mutated twin_ = {nullptr, nullptr, 0};
  std::vector<std::vector<uint8_t>> inputs_;
  unsigned seconds_ = 0;
  size_t counters_ = 0;
  Head *head_ = nullptr;
  Seen *seen_ = nullptr;
  uint8_t *met_ = nullptr, *records_ = nullptr;
  motif_input in_ = {};
  motif_record record_ = {};
};

}  // namespace

int seeds(const Options &options) {
  static Seeds seeds(options);
  static motif_sink out;
  if (motif_sink_create(&out, size_t(1) << 26)) fail("no memory");
  const int answer = kept_aside(1);
  silence();
  install_guard();
  know_blocks();
  seeds.look();
  seeds.put(out);
  write_all(answer, out.text, out.used);
  _exit(0);
}

}  // namespace worker
