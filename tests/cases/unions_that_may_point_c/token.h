#ifndef TOKEN_H
#define TOKEN_H

struct place {
  int line;
  int column;
};

union content {
  int number;
  const char *text;
  struct place at;
};

struct token {
  char kind;
  union content content;
};

void set_number(struct token *token, int value);
void move_right(struct token *token);

#endif
