// What the original does on inputs, and on how many of them: what few inputs did says how much no input has done yet
// (src/engine/residual_risk.rs).
#include "worker.hpp"

#include "shared.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace worker {
namespace {

// How often an edge was taken counts in classes, as libFuzzer has them. Edges beyond this number share their counts.
constexpr size_t kClasses = 8;
constexpr size_t kEdgesMost = (MOTIF_TIMES_SIZE - sizeof(uint64_t)) / kClasses;

size_t class_of(uint8_t taken) {
  return taken < 4 ? taken - 1u : taken < 8 ? 3 : taken < 16 ? 4 : taken < 32 ? 5 : taken < 128 ? 6 : 7;
}

}  // namespace

void Discoveries::open(const std::string &path, const std::vector<Stretch> &counters, motif_shared *shared) {
  shared_ = shared;
  counters_ = counters;
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (file < 0) fail("cannot open " + path);
  auto *const memory = static_cast<uint8_t *>(guarded_pages(MOTIF_TIMES_SIZE, file, true));
  close(file);
  times_ = memory + sizeof(uint64_t);
  uint64_t edges = 0, were = 0;
  for (const Stretch &stretch : counters_) edges += stretch.size;
  memcpy(&were, memory, sizeof were);
  if (were == edges) return;
  // Another driver has other edges: an optimised one after the draft.
  memset(memory, 0, MOTIF_TIMES_SIZE);
  memcpy(memory, &edges, sizeof edges);
  memset(shared_->often, 0, sizeof shared_->often);
}

void Discoveries::count(size_t edge, uint8_t taken) {
  uint8_t &times = times_[edge % kEdgesMost * kClasses + class_of(taken)];
  if (times >= MOTIF_TIMES_MOST) return;
  if (times == 0) ++shared_->often[0];
  else --shared_->often[times];
  if (++times < MOTIF_TIMES_MOST) ++shared_->often[times];
}

bool Discoveries::note() {
  const uint64_t before = shared_->often[0];
  size_t edge = 0;
  for (const Stretch &stretch : counters_) {
    for (size_t i = 0; i < stretch.size;) {
      uint64_t eight = 1;
      if (stretch.size - i >= sizeof eight) memcpy(&eight, stretch.at + i, sizeof eight);
      if (eight == 0) {
        i += sizeof eight;
        continue;
      }
      for (const size_t end = i + sizeof eight; i < end && i < stretch.size; ++i) {
        if (stretch.at[i]) count(edge + i, stretch.at[i]);
      }
    }
    edge += stretch.size;
  }
  return shared_->often[0] != before;
}

}  // namespace worker
