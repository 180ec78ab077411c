#include "logbook.hpp"

namespace logbook {

void Pen::heading(const std::string &title, int level) {
  for (int i = 0; i < level && i < 6; ++i) out_ << '#';
  out_ << ' ' << title << '\n';
}

void Desk::note(int value) {
  if (value < 0) {
    *faults_ << value << ';';
  } else {
    *in_order_ << value << ';';
  }
}

void sign(Pen *pen, int times) {
  for (int i = 0; i < times && i < 3; ++i) pen->heading("signed", i);
}

}  // namespace logbook
