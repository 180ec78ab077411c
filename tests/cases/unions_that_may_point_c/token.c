#include "token.h"

void set_number(struct token *token, int value) {
  token->kind = 'n';
  token->content.number = value * 3;
}

void move_right(struct token *token) {
  if (token->kind != 'p')
    return;
  token->content.at.column = token->content.at.column + 2;
}
