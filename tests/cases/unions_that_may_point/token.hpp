#pragma once

struct Place {
  int line;
  int column;
};

struct Token {
  char kind;
  union {
    int number;
    const char *text;
    Place at;
  };
};

void set_number(Token &token, int value);
void move_right(Token &token);
