// Standard output: what a unit prints is compared. It goes to a file in memory from the first time on that a driver
// asks.
#include "worker.hpp"

#include <fcntl.h>
#include <iostream>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

namespace worker {
namespace {

// A person reads no more, and a test says no more: what is longer is not compared.
constexpr off_t kMost = 1 << 14;
// Writing fails beyond this, as on a full disk: nobody prints as much but an endless loop.
constexpr off_t kRoom = 8 << 20;
// What takes more memory than this is given back.
constexpr off_t kKept = 1 << 20;

void write_out() {
  std::cout.flush();
  fflush(stdout);
}

// The file; none where it can't be had.
int file = -1;

// What was printed before, by whoever made arguments or by a side that died, is not the unit's.
void output_begins() {
  static const bool is_open = file >= 0 && dup2(file, 1) == 1;
  write_out();
  if (is_open) lseek(1, 0, SEEK_SET);
}

size_t output(const char **text) {
  static char bytes[kMost];
  write_out();
  const off_t length = lseek(1, 0, SEEK_CUR);
  if (length <= 0) return 0;
  if (length > kKept) fallocate(1, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, kRoom);
  const bool is_read = length < kMost && pread(1, bytes, static_cast<size_t>(length), 0) == length;
  *text = bytes;
  return is_read ? static_cast<size_t>(length) : 0;
}

}  // namespace

void listen_to_output() {
  // The confinement may forbid it later.
  const int made = memfd_create("output", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  const bool is_bounded = ftruncate(made, kRoom) == 0 && fcntl(made, F_ADD_SEALS, F_SEAL_GROW) == 0;
  if (is_bounded) file = kept_aside(made);
  motif_output_begins = output_begins;
  motif_output = output;
}

}  // namespace worker
