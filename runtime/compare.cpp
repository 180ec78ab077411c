// What a driver's `compare` says of two records that fresh processes have left.
#include "worker.hpp"

#include <string.h>
#include <unistd.h>

namespace worker {
namespace {

// A value: what it is part of, its path and what was seen there, as the supervisor writes it: a byte, text up to a NUL,
// and four bytes of length before as many bytes.
struct Value {
  motif_part part;
  const char *path;
  std::string seen;
};

std::vector<Value> values(const std::vector<uint8_t> &file) {
  std::vector<Value> out;
  const char *at = reinterpret_cast<const char *>(file.data()), *const end = at + file.size();
  while (at < end) {
    Value value = {static_cast<motif_part>(*at), at + 1, {}};
    at += 2 + strlen(value.path);
    uint32_t length = 0;
    memcpy(&length, at, sizeof length);
    value.seen.assign(at + sizeof length, length);
    at += sizeof length + length;
    out.push_back(value);
  }
  return out;
}

void record_all(motif_record &record, const std::vector<Value> &values) {
  motif_record_reset(&record);
  for (const Value &value : values) {
    motif_open(&record, value.path, value.part);
    motif_text(&record, value.seen.data(), value.seen.size());
    motif_close(&record);
  }
}

// Looking at each value of a longer record would take too long.
constexpr size_t kAsked = 2000;

std::vector<Value> changed(std::vector<Value> values, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) values[i].seen.push_back('~');
  return values;
}

}  // namespace

int compare(const Options &options) {
  Module module;
  std::string error;
  be_alone();
  if (!load(options.text("unit").c_str(), module, error)) fail(error);
  static motif_record one, other;
  static motif_sink out;
  const size_t size = size_t(1) << 26;
  if (motif_record_create(&one, size) || motif_record_create(&other, size) || motif_sink_create(&out, size)) {
    fail("no memory");
  }
  const std::vector<uint8_t> first = read_file(options.text("one").c_str());
  const std::vector<uint8_t> second = read_file(options.text("other").c_str());
  const std::vector<Value> seen = values(first);
  const int answer = kept_aside(1);
  silence();
  const auto differences = [&] { return module.unit->compare ? module.unit->compare(&one, &other) : 1; };
  record_all(one, seen);
  record_all(other, values(second));
  const int found = differences();
  motif_sink_text(&out, "{\"differences\":");
  motif_sink_number(&out, found);
  motif_sink_text(&out, ",\"left_out\":[");
  bool any = false;
  record_all(other, changed(seen, 0, seen.size()));
  const bool all_count = static_cast<size_t>(differences()) == seen.size();
  for (size_t i = 0; !all_count && i < seen.size() && seen.size() < kAsked; ++i) {
    record_all(other, changed(seen, i, i + 1));
    if (differences() != 0) continue;
    if (any) motif_sink_text(&out, ",");
    motif_sink_json(&out, seen[i].path);
    any = true;
  }
  motif_sink_text(&out, "]}\n");
  write_all(answer, out.text, out.used);
  _exit(0);
}

}  // namespace worker
