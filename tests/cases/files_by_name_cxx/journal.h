#pragma once
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

// Writes its last line when it ends.
class Journal {
 public:
  explicit Journal(const std::string &fileName) : out_(fileName) {}
  ~Journal() { out_ << "end\n"; }
  void line(int code, const std::string &text) { out_ << code << ' ' << text << '\n'; }

 private:
  std::ofstream out_;
};

void header(Journal &journal, int version);
int lines(const std::filesystem::path &path);
bool mark(std::string_view fileName, int value);
int versionOf(const std::string &path);
