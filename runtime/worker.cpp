// A disposable process that runs one unit and its mutants: searches for inputs, replays one, tries seeds,
// listens to a sanitizer, compares what two replays saw.
//   worker fuzz|replay|seeds|reports|compare|exhaust --name value ...
#include "worker.hpp"

#include "confine.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

namespace worker {

Options::Options(int argc, char **argv) {
  for (int i = 2; i + 1 < argc; i += 2) {
    if (strncmp(argv[i], "--", 2) != 0) fail(std::string("not an option: ") + argv[i]);
    given_.emplace_back(argv[i] + 2, argv[i + 1]);
  }
}

std::string Options::text(const char *name, const char *otherwise) const {
  for (const auto &one : given_) {
    if (one.first == name) return one.second;
  }
  return otherwise;
}

uint64_t Options::number(const char *name, uint64_t otherwise) const {
  const std::string text = this->text(name);
  return text.empty() ? otherwise : strtoull(text.c_str(), nullptr, 10);
}

std::vector<std::string> Options::all(const char *name) const {
  std::vector<std::string> values;
  for (const auto &one : given_) {
    if (one.first == name) values.push_back(one.second);
  }
  return values;
}

std::vector<uint8_t> read_file(const char *path) {
  std::vector<uint8_t> bytes;
  FILE *file = fopen(path, "rbe");
  if (!file) return bytes;
  uint8_t part[65536];
  for (size_t got; (got = fread(part, 1, sizeof part, file)) > 0;) bytes.insert(bytes.end(), part, part + got);
  fclose(file);
  return bytes;
}

void fail(const std::string &message) {
  fprintf(stderr, "%s\n", message.c_str());
  fflush(stderr);
  _exit(kFailed);
}

namespace {
// Opened before the confinement may forbid it.
int nothing = -1;
}  // namespace

void silence() {
  for (int file = 0; file <= 2; ++file) dup2(nothing, file);
  listen_to_output();
}

void be_alone() { motif_take_last_step(); }

void be_a_child(int parent) {
  motif_die_with(parent);
  motif_take_last_step();
}

// So many files are the worker's own, at most.
static constexpr rlim_t kOwnFiles = 64;
// A number beyond which a table of files costs memory.
static constexpr rlim_t kHighest = 4096;

int kept_aside(int file) {
  rlimit most = {};
  const bool is_known = getrlimit(RLIMIT_NOFILE, &most) == 0 && most.rlim_cur >= 2 * kOwnFiles;
  const rlim_t above = is_known ? std::min<rlim_t>(most.rlim_cur, kHighest) - kOwnFiles : kOwnFiles;
  return fcntl(file, F_DUPFD_CLOEXEC, static_cast<int>(above));
}

}  // namespace worker

int main(int argc, char **argv) {
  using namespace worker;
  motif_read_last_step();
  const int null = open("/dev/null", O_RDWR);
  nothing = kept_aside(null);
  close(null);
  const Options options(argc, argv);
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "fuzz") return fuzz(options);
  if (what == "replay") return replay(options);
  if (what == "seeds") return seeds(options);
  if (what == "reports") return reports(options);
  if (what == "compare") return compare(options);
  if (what == "exhaust") return exhaust(options);
  fail("usage: worker fuzz|replay|seeds|reports|compare|exhaust --name value ...");
}
