#include "report.hpp"

#include <stdexcept>

Report::Report(int width, const char *title) : width_(width), title_(title) {}

void Report::change_margin(int by) {
  level_.margin += by;
  level_.depth += by > 0;
  level_.indent = by;
}
void Report::set_font(int font) {
  level_.font = font;
  level_.row += font > 3;
}
void Report::set_color(int color) {
  level_.color = color;
  level_.column += color > 3;
}
void Report::set_indent(int indent) { level_.indent = indent; }

void Report::start_page() {
  close_rows();
  level_.row = 1;
  level_.column = 1;
  level_.depth = 1;
}
void Report::end_page() {
  close_rows();
  level_.is_table_open = false;
  level_.row = 0;
  level_.column = 0;
  level_.depth = 0;
}
void Report::start_table() {
  close_rows();
  open_table();
}
void Report::end_table() {
  close_rows();
  level_.is_table_open = false;
}
void Report::open_table() { level_.is_table_open = true; }
void Report::close_rows() {
  if (level_.is_row_open) level_.row += 1;
  level_.is_row_open = false;
}

int Report::start_row(int height) {
  if (!level_.is_table_open) throw std::logic_error("no table");
  close_rows();
  level_.is_row_open = true;
  level_.column = height > 9 ? 1 : 0;
  return level_.row * 7 + level_.margin + level_.font + level_.color + level_.depth + width_ + (title_ ? 1 : 0);
}
