// Infection probes: the unit's instrumented text notes in one byte per place where it has been, and where a mutant's
// value would have differed (src/probes). A mutant without a note does what the original does.
#include "worker.hpp"

#include "shared.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

namespace {

// Notes that are made while units are loaded, which nobody reads.
unsigned char unasked[MOTIF_POINTS_MOST];

}  // namespace

// Text with probes is linked against this (motif_probe.h).
extern "C" unsigned char *motif_probes;
unsigned char *motif_probes = unasked;

namespace worker {

void Probes::open(const std::vector<std::string> &given, size_t slots, motif_shared *shared) {
  shared_ = shared;
  probes_.resize(slots);
  for (size_t i = 0; i < slots && i < given.size(); ++i) {
    if (given[i] == "-") continue;
    Probe &probe = probes_[i];
    probe.reached = atoi(given[i].c_str());
    const size_t colon = given[i].find(':');
    if (colon != std::string::npos) probe.infected = atoi(given[i].c_str() + colon + 1);
    for (const int place : {probe.reached, probe.infected}) {
      if (place >= static_cast<int>(MOTIF_POINTS_MOST)) fail("no such place: " + given[i]);
      if (place >= 0) points_ = points_ > static_cast<size_t>(place) + 1 ? points_ : static_cast<size_t>(place) + 1;
    }
    any_ = true;
  }
  if (!any_) return;
  // Shared, so that notes of children are seen; whole words, for fast scanning.
  points_ = (points_ + 63) / 64 * 64;
  seen_.assign(points_, 0);
  // Code that runs while a unit is loaded runs before any input: an image has its own load.
  always_.assign(unasked, unasked + points_);
  void *memory = mmap(nullptr, MOTIF_POINTS_MOST, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) fail("no memory");
  motif_probes = static_cast<unsigned char *>(memory);
}

void Probes::clear() {
  if (any_) memset(motif_probes, 0, points_);
}

void Probes::read() {
  if (!any_) return;
  memcpy(seen_.data(), motif_probes, points_);
  for (size_t i = 0; i < points_; ++i) shared_->points[i] |= seen_[i];
}

void Probes::stay() {
  for (size_t i = 0; i < points_; ++i) always_[i] |= motif_probes[i];
}

bool Probes::reached(size_t slot) const {
  const Probe &probe = probes_[slot];
  return !probe.any() || seen_[probe.reached] || always_[probe.reached];
}

bool Probes::fired(size_t slot) const {
  const Probe &probe = probes_[slot];
  if (!probe.any() || always_[probe.reached]) return true;
  return probe.infected < 0 ? seen_[probe.reached] : seen_[probe.infected];
}

bool Probes::fires(size_t slot) const {
  const Probe &probe = probes_[slot];
  if (!probe.any() || always_[probe.reached]) return true;
  return motif_probes[probe.infected < 0 ? probe.reached : probe.infected] != 0;
}

}  // namespace worker
