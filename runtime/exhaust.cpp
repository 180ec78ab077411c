// Runs a unit of numbers on every input. Inputs are numbered: the fields of an input are the digits of its number. Inputs run
// in batches in one side, without a guard for each; a mutant runs where its probe fires. An input on which anything
// else happens than that both return the same is run again as the search does it, and only that is told.
#include "worker.hpp"

#include "shared.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

namespace worker {
namespace {

constexpr unsigned kBatchTicks = 25, kTicks = 5;
constexpr size_t kRecordSize = 1 << 16;
// An odd number: what is switched by each call does not look the same after a batch.
constexpr uint64_t kBatch = 4093;
// At first the state is looked at after each input.
constexpr uint64_t kAlone = 16;
constexpr uint64_t kMost = uint64_t(1) << 32;
// A value of an enumeration that is no enumerator: the choice, and the value behind it.
constexpr uint16_t kOther = 0xffff;
constexpr int32_t kOtherValue = 0x7fffffff;

// A digit of an input's number.
struct Digit {
  uint64_t values;
  uint64_t now;
  size_t width;
  bool is_enum;
};

class Exhaust {
 public:
  int run(const Options &options);
  void batch(motif_input &in, motif_record &record);

 private:
  void open(const Options &options);
  void read_layout();
  void enter() { fast_ ? enter_surroundings_of_fast_floats() : enter_surroundings(); }
  void go_to(uint64_t number);
  void next();
  void write();
  bool agree(motif_input &in, motif_record &record);
  void try_apart();
  void range(uint64_t from, uint64_t to);
  void list_fired();
  void mind_state();
  void stop(const char *why) {
    if (!*stopped_) stopped_ = why;
  }

  Module unit_;
  Images images_;
  std::vector<Mutated> slots_;
  std::vector<bool> live_;
  // Mutants to run, and whether their probes have fired.
  std::vector<std::pair<size_t, bool>> fired_;
  // How often, by mutant.
  std::vector<uint64_t> fires_;
  Mutated original_ = {};
  Probes probes_;
  State state_;
  motif_input in_ = {};
  motif_record expected_ = {}, actual_ = {};
  motif_field fields_[MOTIF_FIELDS_MOST];
  std::vector<Digit> digits_;
  uint64_t all_ = 1, at_ = 0, end_ = 0, tried_ = 0, failed_ = 0;
  uint8_t data_[256];
  size_t size_ = 0;
  // Mutants run whatever their probes say, which is how probes are checked.
  bool distrust_ = false;
  bool strict_ = false, agreed_ = true, lean_ = true;
  // Nothing computes with the slow registers, which need not be put back then.
  bool fast_ = true;
  uint64_t looked_ = 0, met_ = 0;
  clock_t until_ = 0;
  const char *stopped_ = "";
  std::string found_;
};

Exhaust *exhaust_;

void drive_batch(motif_input *in, motif_record *record) { exhaust_->batch(*in, *record); }

void Exhaust::open(const Options &options) {
  be_alone();
  make_heap(false);
  know_blocks();
  use_own_stack();
  std::string error;
  if (!load(options.text("unit").c_str(), unit_, error)) fail(error);
  original_ = {unit_.unit->original, &unit_, 0};
  for (const std::string &side : options.all("slot")) slots_.push_back(images_.find(side, unit_));
  live_.assign(slots_.size(), true);
  fired_.reserve(slots_.size());
  fires_.resize(slots_.size());
  keep_heap();
  probes_.open(options.all("probe"), slots_.size(), nullptr);
  strict_ = options.number("strict", 0) != 0;
  distrust_ = options.number("distrust", 0) != 0;
  if (motif_input_create(&in_) != 0) fail("no memory");
  ignore_memory(in_.arena, in_.arena_size);
  for (motif_record *record : {&expected_, &actual_}) {
    if (motif_record_create(record, kRecordSize) != 0) fail("no memory");
    ignore_memory(record->bytes, motif_record_room(kRecordSize));
  }
  state_.watch(unit_);
  for (const auto &image : images_.all()) state_.watch(image.second);
  state_.save();
}

// The digits are the fields that the original reads from an input of noughts.
void Exhaust::read_layout() {
  in_.fields = fields_;
  memset(data_, 0, sizeof data_);
  motif_input_reset(&in_, data_, sizeof data_);
  run_side(original_.drive, in_, expected_, kTicks);
  in_.fields = nullptr;
  mind_state();
  size_t size = 0;
  for (uint32_t i = 0; i < in_.field_count; ++i) {
    const motif_field &field = fields_[i];
    const bool is_enum = field.role == MOTIF_ROLE_ENUM;
    if (!is_enum && field.role != MOTIF_ROLE_VALUE && field.role != MOTIF_ROLE_ARRAY) return stop("it is not of numbers alone");
    const uint64_t values = is_enum ? uint64_t(field.count) + 1 : field.kind == MOTIF_BOOL ? 2 : uint64_t(1) << (8 * (field.width & 7));
    const size_t count = is_enum ? 1 : field.count;
    if ((!is_enum && field.kind != MOTIF_BOOL && field.width > 4) || count > 32) return stop("it has more inputs");
    for (size_t j = 0; j < count; ++j) {
      if (all_ > kMost / values) return stop("it has more inputs");
      all_ *= values;
      digits_.push_back({values, 0, field.width, is_enum});
      size += field.width + (is_enum ? sizeof kOtherValue : 0);
    }
  }
  if (size > sizeof data_) stop("it has more inputs");
}

void Exhaust::go_to(uint64_t number) {
  at_ = number;
  for (size_t i = digits_.size(); i-- > 0; number /= digits_[i].values) digits_[i].now = number % digits_[i].values;
}

void Exhaust::next() {
  ++at_;
  for (size_t i = digits_.size(); i-- > 0;) {
    if (++digits_[i].now < digits_[i].values) return;
    digits_[i].now = 0;
  }
}

void Exhaust::write() {
  uint8_t *to = data_;
  for (const Digit &digit : digits_) {
    if (digit.is_enum && digit.now + 1 == digit.values) {
      memcpy(to, &kOther, sizeof kOther);
      memcpy(to + sizeof kOther, &kOtherValue, sizeof kOtherValue);
      to += sizeof kOther + sizeof kOtherValue;
      continue;
    }
    // (A switch, since a copy of a known size is one instruction.)
    switch (digit.width) {
      case 1: *to = static_cast<uint8_t>(digit.now); break;
      case 2: memcpy(to, &digit.now, 2); break;
      case 4: memcpy(to, &digit.now, 4); break;
      default: memset(to, 0, digit.width), memcpy(to, &digit.now, digit.width < 8 ? digit.width : 8);
    }
    to += digit.width;
  }
  size_ = static_cast<size_t>(to - data_);
}

// After a run of the original; its notes do not outlive the mutants' runs.
void Exhaust::list_fired() {
  fired_.clear();
  for (size_t i = 0; i < slots_.size(); ++i) {
    const bool fired = live_[i] && probes_.fires(i);
    if (fired || (distrust_ && live_[i])) fired_.emplace_back(i, fired);
  }
}

// Whether the original returns from the current input, and each mutant with the same.
bool Exhaust::agree(motif_input &in, motif_record &record) {
  probes_.clear();
  enter();
  motif_input_reset(&in, data_, size_);
  motif_record_reset(&record);
  // What is full takes nothing more: where no probe fires, nobody looks into it.
  record.full = lean_;
  original_.drive(&in, &record);
  if (in.offset != size_) return false;
  list_fired();
  ++looked_;
  if (fired_.empty()) return true;
  ++met_;
  if (lean_) {
    enter();
    motif_input_reset(&in, data_, size_);
    motif_record_reset(&record);
    original_.drive(&in, &record);
  }
  for (const auto &[i, fired] : fired_) {
    const Mutated &slot = slots_[i];
    fires_[i] += fired;
    enter();
    if (slot.module->set_mutant) slot.module->set_mutant(slot.number);
    motif_input_reset(&in, data_, size_);
    motif_record_reset(&actual_);
    slot.drive(&in, &actual_);
    if (record.full || !motif_same(&record, &actual_)) return false;
  }
  return true;
}

void Exhaust::batch(motif_input &in, motif_record &record) {
  for (agreed_ = false; at_ < end_; next()) {
    write();
    if (!agree(in, record)) return;
  }
  agreed_ = true;
}

void Exhaust::mind_state() {
  bool owns_heap = false;
  if (touched_surroundings()) stop("it changes its process");
  if (state_.check(owns_heap)) stop("it remembers something between calls");
}

// The current input as the search runs it.
void Exhaust::try_apart() {
  write();
  probes_.clear();
  motif_input_reset(&in_, data_, size_);
  const Outcome original = run_side(original_.drive, in_, expected_, kTicks);
  mind_state();
  if (expected_.full) stop("it leaves too much to compare");
  if (original.usable() && in_.offset != size_) stop("what it reads depends on what it has read");
  if (original.ending == kHung) return stop("the original takes too long for an input");
  if (!original.usable() || (strict_ && original.late)) {
    ++failed_;
    return;
  }
  list_fired();
  for (const auto &[i, fired] : fired_) {
    const Mutated &slot = slots_[i];
    if (slot.module->set_mutant) slot.module->set_mutant(slot.number);
    motif_input_reset(&in_, data_, size_);
    const Outcome mutated = run_side(slot.drive, in_, actual_, kTicks);
    mind_state();
    if (mutated == original && motif_same(&expected_, &actual_)) continue;
    const auto compare = unit_.unit->compare;
    if (mutated == original && compare && compare(&expected_, &actual_) == 0) continue;
    if (!fired) stop("its probes do not foresee what mutants do");
    live_[i] = false;
    std::string hex;
    for (size_t at = 0; at < size_; ++at) {
      hex += "0123456789abcdef"[data_[at] >> 4];
      hex += "0123456789abcdef"[data_[at] & 15];
    }
    found_ += std::string(found_.empty() ? "" : ",") + "{\"slot\":" + std::to_string(i) + ",\"ending\":" +
              std::to_string(mutated.ending) + ",\"input\":\"" + hex + "\"}";
  }
}

void Exhaust::range(uint64_t from, uint64_t to) {
  go_to(from);
  while (at_ < to && !*stopped_ && clock() < until_) {
    const uint64_t begun = at_;
    const uint64_t size = tried_ < kAlone ? 1 : kBatch;
    end_ = to - at_ < size ? to : at_ + size;
    const Outcome outcome = run_side(drive_batch, in_, expected_, kBatchTicks);
    mind_state();
    if (fast_ && used_slow_floats()) {
      fast_ = false;
      go_to(begun);
      continue;
    }
    if (outcome.ending != kReturned || !agreed_) {
      try_apart();
      next();
    }
    tried_ += at_ - begun;
    // Where probes fire often, the original's results are kept at once.
    lean_ = met_ * 4 < looked_;
    looked_ = met_ = 0;
  }
}

int Exhaust::run(const Options &options) {
  open(options);
  const int answer = kept_aside(1);
  silence();
  install_guard();
  start_clock();
  until_ = clock() + static_cast<clock_t>(options.number("seconds", 60)) * CLOCKS_PER_SEC;
  read_layout();
  const clock_t begun = clock();
  const uint64_t to = options.number("to", 0), pieces = options.number("pieces", 0), each = options.number("each", 0);
  if (!*stopped_ && pieces) {
    // A sample: pieces at even distances.
    const uint64_t apart = all_ / pieces ? all_ / pieces : 1;
    for (uint64_t from = 0; from < all_; from += apart) range(from, from + (each < apart ? each : apart));
  } else if (!*stopped_) {
    range(options.number("from", 0), to < all_ ? to : all_);
  }
  motif_sink out;
  if (motif_sink_create(&out, size_t(1) << 24)) fail("no memory");
  const auto put = [&](const char *name, uint64_t number) {
    motif_sink_text(&out, name);
    motif_sink_number(&out, static_cast<long long>(number));
  };
  put("{\"all\":", all_);
  put(",\"next\":", at_);
  put(",\"tried\":", tried_);
  put(",\"failed\":", failed_);
  put(",\"microseconds\":", static_cast<uint64_t>(clock() - begun) / (CLOCKS_PER_SEC / 1000000));
  motif_sink_text(&out, ",\"fires\":[");
  for (size_t i = 0; i < fires_.size(); ++i) put(i ? "," : "", fires_[i]);
  motif_sink_text(&out, "],\"stopped\":");
  motif_sink_json(&out, stopped_);
  motif_sink_text(&out, (",\"found\":[" + found_ + "]}\n").c_str());
  write_all(answer, out.text, out.used);
  _exit(0);
}

}  // namespace

int exhaust(const Options &options) {
  exhaust_ = new Exhaust;
  return exhaust_->run(options);
}

}  // namespace worker
