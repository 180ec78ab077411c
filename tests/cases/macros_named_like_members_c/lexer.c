#include "lexer.h"

int(lexer_state)(const struct lexer *lexer) {
  return lexer->levels[lexer->depth % DEEPEST].state;
}

#define state lexer->levels[lexer->depth].state
#define seen lexer->levels[lexer->depth].seen

void lexer_step(struct lexer *lexer, char letter) {
  if (lexer->depth >= DEEPEST) return;
  ++seen;
  if (letter == '{') {
    state = 2;
  } else if (letter == '}') {
    state = 3;
  }
}
