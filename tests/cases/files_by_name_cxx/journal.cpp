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

int lines(const std::filesystem::path &path) {
  std::ifstream in(path);
  int count = 0;
  for (std::string line; std::getline(in, line);) count += line.empty() ? 10 : 1;
  return count;
}

bool mark(std::string_view fileName, int value) {
  std::ofstream out{std::string(fileName)};
  out << "mark " << value / 2;
  return out.good();
}
