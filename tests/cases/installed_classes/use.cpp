#include "use.h"
int weigh(const lib::Token &token) { return token.number() + (token.mode() == lib::Mode::fast ? 7 : 3); }
lib::Token next(const lib::Token &token) { return lib::Token(token.number() ^ 5, token.mode()); }
void raise(lib::Token &token, int by) { token.number(token.number() ^ (by | 1)); }
void note(lib::Token &token, int n) { token.note(n | 1); }
lib::Text quoted(const lib::Text &text, int n) { return text.with(n > 4 ? "a" : "b"); }
double trace(const lib::Matrix<double, 3, 3> &m) { return m(0, 0) + m(1, 1) * 2 + m(2, 2); }
lib::Matrix<int, 2, 1> column(int n) {
  lib::Matrix<int, 2, 1> made;
  made(1, 0) = n | 8;
  return made;
}
double corner(const lib::Rows &rows) { return rows.rows() > 1 ? rows(1, rows.cols() - 1) : 9; }
void clear(lib::Rows &rows) {
  for (int r = 1; r < rows.rows(); ++r) rows(r, 0) = 5;
}
lib::Ratio<int> turned(const lib::Ratio<int> &ratio) { return lib::Ratio<int>(ratio.down() ^ 3, ratio.up()); }
lib::Bag<int> bagged(int n) {
  lib::Bag<int> bag;
  bag.put(n ^ 2);
  return bag;
}
