// Runs one side in a fresh process and records everything.
#include "worker.hpp"

#include "shared.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

// Text with marks notes there (motif_probe.h).
extern "C" unsigned char *motif_probes;

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

// The bytes of the notes, to the last one that is set.
void put_notes(motif_sink &out) {
  static const char digits[] = "0123456789abcdef";
  size_t used = MOTIF_POINTS_MOST;
  while (used && !motif_probes[used - 1]) --used;
  motif_sink_text(&out, ",\"notes\":\"");
  for (size_t i = 0; i < (used + 3) / 4 * 4; ++i) {
    const char pair[] = {digits[motif_probes[i] >> 4], digits[motif_probes[i] & 15]};
    motif_sink_raw(&out, pair, 2);
  }
  motif_sink_text(&out, "\"");
}

}  // namespace

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

int replay(const Options &options) {
  Module module;
  std::string error;
  const std::string side = options.text("side", "original");
  be_alone();
  // An image stands alone: the unit's shared object is not in its process.
  if (side.compare(0, 6, "image:") != 0 && !load(options.text("unit").c_str(), module, error)) fail(error);
  Images images;
  const Mutated run = side == "original" ? Mutated{module.unit->original, &module, 0} : images.find(side, module);
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
  const int answer = kept_aside(1);
  silence();
  install_guard();
  know_blocks(fill);
  start_clock();
  if (run.module->set_mutant) run.module->set_mutant(run.number);
  const bool notes = options.number("notes", 0) != 0;
  // Those of loading are nobody's.
  memset(motif_probes, 0, MOTIF_POINTS_MOST);
  motif_input_reset(&in, input.data(), input.size());
  const Outcome outcome = run_side(run.drive, in, record, static_cast<unsigned>(options.number("ticks", 100)));
  if (options.number("leaks", 0) && leaks()) note_report("memory-leak");
  motif_sink_text(&out, "{\"unit\":");
  motif_sink_json(&out, run.module->unit->id);
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
  motif_sink_text(&out, "]");
  if (notes) put_notes(out);
  motif_sink_text(&out, "}\n");
  write_all(answer, out.text, out.used);
  _exit(0);
}

}  // namespace worker
