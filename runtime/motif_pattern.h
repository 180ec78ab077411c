/* Generates text that matches a regular expression; the input's bytes choose at every fork. Supports what
 * src/overrides/pattern.rs accepts: ASCII, classes, groups, alternatives, repetition. */
#ifndef MOTIF_PATTERN_H
#define MOTIF_PATTERN_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PATTERN_BYTES = 32, PATTERN_LONGEST = 256, PATTERN_REPEATED = 8 };

typedef struct pattern {
  const uint8_t *bytes; /* PATTERN_BYTES of them */
  size_t forks;         /* choices made so far */
  char *out;            /* PATTERN_LONGEST + 1 */
  size_t length;
} pattern;

/* One of `choices`. A pattern with more forks than bytes wraps around, each time with another step. */
static size_t pattern_choose(pattern *made, size_t choices) {
  if (choices < 2) return 0;
  const size_t at = made->forks++;
  const size_t byte = made->bytes[at % PATTERN_BYTES];
  return (byte + at / PATTERN_BYTES * (byte / 7 + 1)) % choices;
}

static void pattern_put(pattern *made, char c) {
  if (made->length < PATTERN_LONGEST) made->out[made->length++] = c;
}

static const char *pattern_any(pattern *made, const char *at, int write);

static char pattern_escaped(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    default: return c;
  }
}

/* The characters of \d, \w and \s. */
static int pattern_named(char name, uint8_t set[256]) {
  const char *members = name == 'd'   ? "0123456789"
                        : name == 'w' ? "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"
                        : name == 's' ? " \t\n"
                                      : NULL;
  if (!members) return 0;
  for (; *members; ++members) set[(uint8_t)*members] = 1;
  return 1;
}

static void pattern_put_one_of(pattern *made, const uint8_t set[256]) {
  size_t count = 0;
  for (size_t c = 1; c < 256; ++c) count += set[c];
  if (!count) return;
  size_t wanted = pattern_choose(made, count);
  for (size_t c = 1; c < 256; ++c) {
    if (set[c] && wanted-- == 0) {
      pattern_put(made, (char)c);
      return;
    }
  }
}

static const char *pattern_member(const char *at, uint8_t *member) {
  const int escaped = at[0] == '\\' && at[1];
  *member = (uint8_t)(escaped ? pattern_escaped(at[1]) : at[0]);
  return at + 1 + escaped;
}

/* `[...]`; `at` is after the bracket. */
static const char *pattern_class(pattern *made, const char *at, int write) {
  uint8_t set[256] = {0};
  const int negated = *at == '^';
  if (negated) ++at;
  for (int first = 1; *at && (*at != ']' || first); first = 0) {
    if (at[0] == '\\' && at[1] && pattern_named(at[1], set)) {
      at += 2;
      continue;
    }
    uint8_t low;
    at = pattern_member(at, &low);
    uint8_t high = low;
    if (at[0] == '-' && at[1] && at[1] != ']') at = pattern_member(at + 1, &high);
    for (size_t c = low; c <= high; ++c) set[c] = 1;
  }
  if (negated) {
    for (size_t c = 0; c < 256; ++c) set[c] = c >= 0x20 && c < 0x7F && !set[c];
  }
  if (write) pattern_put_one_of(made, set);
  return *at ? at + 1 : at;
}

static const char *pattern_atom(pattern *made, const char *at, int write) {
  uint8_t set[256] = {0};
  switch (*at) {
    case '(':
      ++at;
      if (at[0] == '?' && at[1] == ':') at += 2;
      at = pattern_any(made, at, write);
      return *at ? at + 1 : at;
    case '[':
      return pattern_class(made, at + 1, write);
    case '.':
      for (size_t c = 0x20; c < 0x7F; ++c) set[c] = 1;
      if (write) pattern_put_one_of(made, set);
      return at + 1;
    case '\\':
      if (!at[1]) return at + 1;
      if (pattern_named(at[1], set)) {
        if (write) pattern_put_one_of(made, set);
      } else if (write) {
        pattern_put(made, pattern_escaped(at[1]));
      }
      return at + 2;
    default:
      if (write) pattern_put(made, *at);
      return at + 1;
  }
}

static const char *pattern_number(const char *at, size_t *number) {
  *number = 0;
  while (*at >= '0' && *at <= '9') *number = *number * 10 + (size_t)(*at++ - '0');
  return at;
}

/* The number of repetitions of the part before `at`. */
static const char *pattern_times(const char *at, size_t *least, size_t *most) {
  *least = *most = 1;
  switch (*at) {
    case '?': *least = 0; ++at; break;
    case '*': *least = 0; *most = PATTERN_REPEATED; ++at; break;
    case '+': *most = PATTERN_REPEATED; ++at; break;
    case '{':
      at = pattern_number(at + 1, least);
      *most = *least;
      if (*at == ',') {
        ++at;
        if (*at == '}') *most = *least + PATTERN_REPEATED;
        else at = pattern_number(at, most);
      }
      if (*at == '}') ++at;
      break;
    default: return at;
  }
  /* Greedy or not makes no difference for generation. */
  return *at == '?' ? at + 1 : at;
}

static const char *pattern_row(pattern *made, const char *at, int write) {
  while (*at && *at != '|' && *at != ')') {
    size_t least;
    size_t most;
    const char *after = pattern_times(pattern_atom(made, at, 0), &least, &most);
    if (write) {
      const size_t times = least + pattern_choose(made, most - least + 1);
      for (size_t n = 0; n < times; ++n) pattern_atom(made, at, 1);
    }
    at = after;
  }
  return at;
}

/* Alternatives, up to the end of the group or pattern. */
static const char *pattern_any(pattern *made, const char *at, int write) {
  size_t count = 1;
  for (const char *end = pattern_row(made, at, 0); *end == '|'; end = pattern_row(made, end + 1, 0)) ++count;
  const size_t chosen = write ? pattern_choose(made, count) : 0;
  for (size_t n = 0;; ++n) {
    at = pattern_row(made, at, write && n == chosen);
    if (*at != '|') return at;
    ++at;
  }
}

/* Writes at most PATTERN_LONGEST characters and a NUL. */
static size_t pattern_make(const char *text, const uint8_t bytes[PATTERN_BYTES], char *out) {
  pattern made = {bytes, 0, out, 0};
  pattern_any(&made, text, 1);
  out[made.length] = 0;
  return made.length;
}

#endif
