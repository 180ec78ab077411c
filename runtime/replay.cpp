// One side in a fresh process, everything written down; and seeds, each side in a child.
#include "worker.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace worker {
namespace {

const char *ending_name(int ending) {
  switch (ending) {
    case kReturned: return "returned";
    case kCrashed: return "crashed";
    case kHung: return "hung";
    case kExited: return "exited";
    case kUncaught: return "uncaught";
    default: return "sanitizer";
  }
}

void write_all(int file, const char *text, size_t size) {
  while (size) {
    const ssize_t written = write(file, text, size);
    if (written <= 0) return;
    text += written;
    size -= static_cast<size_t>(written);
  }
}

void put_outcome(motif_sink &out, const Outcome &outcome) {
  static const char *const phases[] = {"setup", "call", "observe"};
  motif_sink_text(&out, "\"outcome\":{\"ending\":\"");
  motif_sink_text(&out, ending_name(outcome.ending));
  motif_sink_text(&out, "\",\"detail\":");
  motif_sink_number(&out, outcome.detail);
  motif_sink_text(&out, ",\"phase\":\"");
  motif_sink_text(&out, phases[outcome.phase]);
  motif_sink_text(&out, outcome.late ? "\",\"late\":true}" : "\"}");
}

}  // namespace

int replay(const Options &options) {
  Module module;
  std::string error;
  const std::string side = options.text("side", "original");
  const bool image = side.compare(0, 6, "image:") == 0;
  be_alone();
  if (!load(image ? side.c_str() + 6 : options.text("unit").c_str(), module, error)) fail(error);
  Drive drive = module.unit->original;
  int mutant = 0;
  if (side.compare(0, 5, "copy:") == 0) {
    drive = module.unit->copy;
    mutant = atoi(side.c_str() + 5);
    if (!drive || mutant < 0 || static_cast<uint32_t>(mutant) > module.unit->mutants) fail("no such side: " + side);
  }
  const std::vector<uint8_t> input = read_file(options.text("input").c_str());
  const int fill = static_cast<int>(options.number("fill", 0));
  static motif_input in;
  static motif_record record;
  static motif_sink trace, described, out;
  if (motif_input_create(&in) || motif_record_create(&record, 1 << 20) || motif_sink_create(&trace, size_t(1) << 26) ||
      motif_sink_create(&described, size_t(1) << 26) || motif_sink_create(&out, size_t(1) << 28)) {
    fail("no memory");
  }
  in.trace = &trace;
  in.fill = static_cast<uint8_t>(fill ^ 0xa5);
  record.describe = &described;
  record.stack_fill = 256 + fill;
  const int answer = fcntl(1, F_DUPFD_CLOEXEC, 200);
  silence();
  install_guard();
  start_clock();
  if (module.set_mutant) module.set_mutant(mutant);
  motif_input_reset(&in, input.data(), input.size());
  fill_stack(fill);
  const Outcome outcome = run_side(drive, in, record, static_cast<unsigned>(options.number("ticks", 100)));
  if (options.number("leaks", 0) && leaks()) note_report("memory-leak");
  motif_sink_text(&out, "{\"unit\":");
  motif_sink_json(&out, module.unit->id);
  motif_sink_text(&out, ",");
  put_outcome(out, outcome);
  if (*report()) {
    motif_sink_text(&out, ",\"report\":");
    motif_sink_json(&out, report());
  }
  motif_sink_text(&out, ",\"taken\":");
  motif_sink_number(&out, static_cast<long long>(in.offset));
  motif_sink_text(&out, record.full ? ",\"full\":true" : ",\"full\":false");
  motif_sink_text(&out, ",\"trace\":[");
  motif_sink_raw(&out, trace.text, trace.used);
  motif_sink_text(&out, "],\"record\":[");
  motif_sink_raw(&out, described.text, described.used);
  motif_sink_text(&out, "]}\n");
  write_all(answer, out.text, out.used);
  _exit(0);
}

int seeds(const Options &options) {
  Module unit;
  std::string error;
  if (!load(options.text("unit").c_str(), unit, error)) fail(error);
  struct Result {
    Outcome outcome;
    bool done;
    size_t used;
    size_t taken;
  };
  constexpr size_t kSize = 1 << 20;
  size_t counters = 0;
  for (const Stretch &stretch : unit.counters) counters += stretch.size;
  uint8_t *shared = static_cast<uint8_t *>(
      mmap(nullptr, sizeof(Result) + 2 * kSize + counters + 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (shared == MAP_FAILED) fail("no memory");
  Result *result = reinterpret_cast<Result *>(shared);
  uint8_t *bytes = shared + sizeof(Result) + kSize, *met = bytes + kSize;
  static motif_input in;
  static motif_record record;
  static motif_sink out;
  if (motif_input_create(&in) || motif_record_create(&record, kSize - 1) || motif_sink_create(&out, size_t(1) << 26)) fail("no memory");
  const int answer = fcntl(1, F_DUPFD_CLOEXEC, 200);
  silence();
  install_guard();
  const unsigned seconds = static_cast<unsigned>(options.number("seconds", 5));
  // Seeds that hang come in swarms: after the first few none is waited for as long.
  constexpr unsigned kPatient = 50, kImpatient = 8, kHangsMost = 2;
  constexpr int kStale = 0xd7;
  unsigned hangs = 0;
  const auto run = [&](Drive drive, const std::vector<uint8_t> &input, std::string &recorded, int fill = -1) {
    *result = {};
    const pid_t parent = getpid(), child = fork();
    if (child < 0) fail("cannot fork");
    if (child == 0) {
      be_a_child(parent);
      start_clock();
      alarm(seconds);
      if (unit.set_mutant) unit.set_mutant(0);
      motif_input_reset(&in, input.data(), input.size());
      if (fill >= 0) {
        mallopt(M_PERTURB, ~fill & 0xff);
        in.fill = static_cast<uint8_t>(fill ^ 0xa5);
        record.stack_fill = 256 + fill;
        fill_stack(fill);
      }
      result->outcome = run_side(drive, in, record, hangs < kHangsMost ? kPatient : kImpatient);
      result->used = record.used;
      result->taken = in.offset;
      memcpy(bytes, record.bytes, record.used);
      uint8_t *to = met;
      for (const Stretch &stretch : unit.counters) {
        for (size_t i = 0; i < stretch.size; ++i) to[i] |= stretch.at[i];
        to += stretch.size;
      }
      result->done = true;
      _exit(0);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
    }
    if (!result->done) {
      const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
      result->outcome.ending = signal == SIGALRM ? kHung : signal ? kCrashed : kExited;
      result->outcome.detail = signal ? signal : WEXITSTATUS(status);
    }
    hangs += result->outcome.ending == kHung;
    recorded.assign(reinterpret_cast<const char *>(bytes), result->used);
    return result->outcome;
  };
  motif_sink_text(&out, "{\"inputs\":[");
  bool first = true;
  for (const std::string &path : options.all("input")) {
    const std::vector<uint8_t> input = read_file(path.c_str());
    std::string once, twice, filled, copied;
    const Outcome outcome = run(unit.unit->original, input, once);
    const size_t taken = result->taken;
    const bool usable = outcome.usable();
    const bool same = !usable || (run(unit.unit->original, input, twice) == outcome && once == twice);
    // Nor when memory that nobody has written to holds something else.
    const bool steady = !usable || !same || (run(unit.unit->original, input, filled, kStale) == outcome && once == filled);
    const bool copy_same = !usable || !unit.unit->copy || (run(unit.unit->copy, input, copied) == outcome && once == copied);
    motif_sink_text(&out, first ? "{" : ",{");
    first = false;
    put_outcome(out, outcome);
    motif_sink_text(&out, same ? ",\"deterministic\":true" : ",\"deterministic\":false");
    motif_sink_text(&out, steady ? ",\"steady\":true" : ",\"steady\":false");
    motif_sink_text(&out, copy_same ? ",\"copy_agrees\":true" : ",\"copy_agrees\":false");
    motif_sink_text(&out, ",\"taken\":");
    motif_sink_number(&out, static_cast<long long>(taken));
    motif_sink_text(&out, "}");
  }
  size_t covered = 0;
  for (size_t i = 0; i < counters; ++i) covered += met[i] != 0;
  motif_sink_text(&out, "],\"edges\":");
  motif_sink_number(&out, static_cast<long long>(counters));
  motif_sink_text(&out, ",\"covered\":");
  motif_sink_number(&out, static_cast<long long>(covered));
  motif_sink_text(&out, "}\n");
  write_all(answer, out.text, out.used);
  _exit(0);
}

}  // namespace worker
