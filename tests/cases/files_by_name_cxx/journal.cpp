#include "journal.h"

void header(Journal &journal, int version) {
  journal.line(100, "VERSION");
  if (version > 7) journal.line(70, "NEW");
}

int versionOf(const std::string &path) {
  std::ifstream in(path);
  int version = 0;
  if (!(in >> version)) return -1;
  return version > 3 ? version * 2 : version;
}
