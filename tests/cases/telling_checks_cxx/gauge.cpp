#include "gauge.hpp"

#include <cstdlib>

namespace gauge {

double reading(const char *text) { return std::strtod(text, nullptr); }

double Meter::average() const { return total_ / hours_; }

void Printer::text(const std::string &text) {
  out_ << text;
  size_ += text.size();
}

void Printer::flag(bool on) { text(on ? "yes" : "no"); }

int Reader::number(const std::string &text) {
  int value = 0;
  for (at_ = 0; at_ < static_cast<int>(text.size()); ++at_) {
    if (text[at_] < '0' || text[at_] > '9') throw Trouble(at_ + 1);
    value = value * 10 % 1000 + (text[at_] - '0');
  }
  return value;
}

void Table::define(const std::string &name, bool fixed) { entries_[name] = Entry(fixed); }

void load(const std::string &text, Report &error) {
  error.code = 1;
  if (!text.empty()) return;
  error.code = 3;
  throw std::runtime_error("empty");
}

}  // namespace gauge
