#include "lines.h"

#include <stdlib.h>
#include <string.h>

typedef int Step(Lines *it, const char *line);

struct Lines {
  Step *step;
  const char *line;
  char *encoding;
  int depth;
};

static Step first_line, next_line;

static int set_encoding(Lines *it, const char *encoding) {
  if (encoding != NULL) {
    if (strcmp(encoding, "ascii-7-of-1968") != 0) {
      return 0;
    }
    it->encoding = malloc(strlen(encoding) + 1);
    strcpy(it->encoding, encoding);
  }
  return 1;
}

Lines *lines_new(const char *encoding) {
  Lines *it = calloc(1, sizeof *it);
  if (!it) {
    return NULL;
  }
  it->step = first_line;
  if (!set_encoding(it, encoding)) {
    free(it);
    return NULL;
  }
  return it;
}

void lines_free(Lines *it) {
  if (it) {
    free(it->encoding);
    free(it);
  }
}

static int first_line(Lines *it, const char *line) {
  if (line != it->line) {
    abort();
  }
  if (line[0] != '#') {
    return 1;
  }
  it->step = next_line;
  return 0;
}

static int next_line(Lines *it, const char *line) {
  if (line != it->line) {
    abort();
  }
  switch (line[0]) {
    case '{':
      it->depth += 1;
      return 0;
    case '}':
      it->depth -= 1;
      return it->depth < 0 ? 3 : 0;
    default:
      return line[0] == ' ' ? 0 : 2;
  }
}

int lines_read(Lines *it, const char *line) {
  it->line = line;
  return it->step(it, line);
}

int lines_depth(const Lines *it) { return it->depth; }
