#pragma once

struct Level {
  bool is_table_open = false;
  bool is_row_open = false;
  int row = 0, column = 0, depth = 0, font = 0, margin = 0, indent = 0, color = 0;
};

// What its methods may do next depends on what is open.
class Report {
 public:
  Report(int width, const char *title);
  void change_margin(int by);
  void set_font(int font);
  void set_color(int color);
  void set_indent(int indent);
  void start_page();
  void end_page();
  void start_table();
  void end_table();
  int start_row(int height);

 private:
  void close_rows();
  void open_table();
  int width_;
  const char *title_;
  Level level_;
};
