#include "token.hpp"

void set_number(Token &token, int value) {
  token.kind = 'n';
  token.number = value * 3;
}

void move_right(Token &token) {
  if (token.kind != 'p') return;
  token.at.column = token.at.column + 2;
}
