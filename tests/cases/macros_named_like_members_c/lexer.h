#ifndef LEXER_H
#define LEXER_H

#define DEEPEST 4

struct level {
  int state;
  int seen;
};

struct lexer {
  struct level levels[DEEPEST];
  unsigned depth;
};

void lexer_step(struct lexer *lexer, char letter);

/* A macro in front of a function, for speed. */
int lexer_state(const struct lexer *lexer);
#define lexer_state(lexer) ((lexer)->levels[(lexer)->depth % DEEPEST].state)

#endif
