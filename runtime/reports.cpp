// Runs the inputs that the search has kept in a worker that is built with a sanitizer: which side is reported?
//
// Children of this process run the sides, one after the other, each until a report or failure: after a report a process
// is not trusted any more. The next child continues after that run.
#include "worker.hpp"

#include "shared.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern "C" __attribute__((weak)) int __lsan_do_recoverable_leak_check(void);

namespace worker {

bool leaks() { return __lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check() != 0; }

namespace {

// A sanitizer makes a side half as fast, or five times slower.
constexpr unsigned kOriginalTicks = 100;
constexpr unsigned kMutantTicks = 50;
constexpr unsigned kSecondsOfARun = 10;
constexpr size_t kRecordSize = 1 << 20;
// Per mutant: the reports that are returned, and runs that failed otherwise. Then it is finished.
constexpr unsigned kReportsMost = 3;
constexpr unsigned kWrongMost = 3;
// Per child: leaked memory adds up.
constexpr size_t kRunsMost = 1 << 14;
constexpr long kKilobytesMost = 1 << 20;

// A side and an input; side 0 is the original.
struct Place {
  size_t input;
  size_t side;
};

// Shared by parent and child.
struct Seen {
  Place at;
  bool finished;   // at the end of all
  bool in_order;   // the side at `at` has returned without a report
  uint64_t runs;
  char report[48];
};

class Reports {
 public:
  int run(const Options &options);

 private:
  void open(const Options &options);
  void stint(Place from);
  bool one(Place at);
  void put(Place at);
  bool next(Place &at) const;

  Module unit_;
  Images images_;
  std::vector<Mutated> sides_;
  std::vector<unsigned> told_, wrong_;
  std::vector<std::vector<uint8_t>> inputs_;
  motif_input in_ = {};
  motif_record record_ = {};
  motif_sink out_ = {};
  Seen *seen_ = nullptr;
  // Run each side in a child of its own: its variables cannot be restored, or leaks are wanted.
  bool apart_ = false;
  bool leaks_ = false;
  bool first_ = true;
};

void Reports::open(const Options &options) {
  std::string error;
  if (!load(options.text("unit").c_str(), unit_, error)) fail(error);
  sides_.push_back({unit_.unit->original, &unit_, 0});
  const std::vector<std::string> slots = options.all("slot");
  for (const std::string &slot : slots) sides_.push_back(images_.find(slot, unit_));
  told_.resize(sides_.size());
  wrong_.resize(sides_.size());
  const uint64_t count = options.number("count", 0);
  for (uint64_t i = 0; i < count; ++i) {
    char name[32];
    snprintf(name, sizeof name, "/%06llu", static_cast<unsigned long long>(i));
    inputs_.push_back(read_file((options.text("inputs") + name).c_str()));
    if (inputs_.back().size() > MOTIF_INPUT_MOST) inputs_.back().resize(MOTIF_INPUT_MOST);
  }
  apart_ = options.number("apart", 0) != 0;
  leaks_ = options.number("leaks", 0) != 0;
  void *shared = mmap(nullptr, sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED || motif_input_create(&in_) || motif_record_create(&record_, kRecordSize) ||
      motif_sink_create(&out_, size_t(1) << 24)) {
    fail("no memory");
  }
  seen_ = static_cast<Seen *>(shared);
}

// The next unfinished side after `at`.
bool Reports::next(Place &at) const {
  do {
    if (++at.side == sides_.size()) at = {at.input + 1, 0};
  } while (at.side && (told_[at.side] >= kReportsMost || wrong_[at.side] >= kWrongMost));
  return at.input < inputs_.size();
}

bool Reports::one(Place at) {
  const Mutated &side = sides_[at.side];
  const std::vector<uint8_t> &input = inputs_[at.input];
  seen_->at = at;
  seen_->in_order = false;
  // The timer counts processor time; this ends a sleeping side.
  alarm(kSecondsOfARun);
  if (side.module->set_mutant) side.module->set_mutant(side.number);
  motif_input_reset(&in_, input.data(), input.size());
  const Outcome outcome = run_side(side.drive, in_, record_, at.side ? kMutantTicks : kOriginalTicks);
  if (leaks_ && outcome.usable() && leaks()) note_report("memory-leak");
  ++seen_->runs;
  snprintf(seen_->report, sizeof seen_->report, "%s", report());
  seen_->in_order = outcome.usable() && !*report();
  return seen_->in_order && !apart_;
}

// The work of one child.
void Reports::stint(Place at) {
  for (size_t runs = 0; one(at); ++runs) {
    if (!next(at)) {
      seen_->finished = true;
      return;
    }
    if (runs == kRunsMost) return;
    if (runs % 256 == 255) {
      rusage usage;
      getrusage(RUSAGE_SELF, &usage);
      if (usage.ru_maxrss > kKilobytesMost) return;
    }
  }
}

void Reports::put(Place at) {
  motif_sink_text(&out_, first_ ? "{\"input\":" : ",{\"input\":");
  first_ = false;
  motif_sink_number(&out_, static_cast<long long>(at.input));
  if (at.side) {
    motif_sink_text(&out_, ",\"slot\":");
    motif_sink_number(&out_, static_cast<long long>(at.side - 1));
  }
  motif_sink_text(&out_, ",\"report\":");
  motif_sink_json(&out_, seen_->report);
  motif_sink_text(&out_, "}");
}

int Reports::run(const Options &options) {
  open(options);
  const int answer = kept_aside(1);
  silence();
  install_guard();
  const time_t until = time(nullptr) + static_cast<time_t>(options.number("seconds", 60));
  motif_sink_text(&out_, "{\"reports\":[");
  Place at = {0, 0};
  bool finished = inputs_.empty();
  bool in_time = true;
  while (!finished && in_time) {
    seen_->finished = false;
    seen_->in_order = false;
      seen_->report[0] = 0;
    seen_->at = at;
    const pid_t parent = getpid(), child = fork();
    if (child < 0) fail("cannot fork");
    if (child == 0) {
      be_a_child(parent);
      start_clock();
      stint(at);
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    at = seen_->at;
    finished = seen_->finished;
    if (!seen_->in_order && !finished) {
      if (*seen_->report) {
        put(at);
        ++told_[at.side];
      } else {
        ++wrong_[at.side];
      }
      // An input on which the original fails is skipped.
      if (at.side == 0) at.side = sides_.size() - 1;
    }
    if (!finished) finished = !next(at);
    in_time = time(nullptr) < until;
  }
  motif_sink_text(&out_, "],\"runs\":");
  motif_sink_number(&out_, static_cast<long long>(seen_->runs));
  motif_sink_text(&out_, finished ? ",\"finished\":true}\n" : ",\"finished\":false}\n");
  const char *text = out_.text;
  for (size_t left = out_.used; left;) {
    const ssize_t written = write(answer, text, left);
    if (written <= 0) _exit(kFailed);
    text += written;
    left -= static_cast<size_t>(written);
  }
  _exit(0);
}

}  // namespace

int reports(const Options &options) {
  static Reports reports;
  return reports.run(options);
}

}  // namespace worker
