#ifndef OPTIONS_H
#define OPTIONS_H
/* A parser that is told by a table, with a mark at its end, what there is to set. */
typedef struct parser parser;
enum kind { KIND_END, KIND_NUMBER, KIND_SWITCH };
struct option {
  const char *name;
  enum kind kind;
  long least, most;
  unsigned seal; /* of the name and the range: nobody makes a row up */
};
#define OPTION_NUMBER(name, least, most, seal) {name, KIND_NUMBER, least, most, seal}
#define OPTION_SWITCH(name, seal) {name, KIND_SWITCH, 0, 1, seal}
#define OPTION_END {0, KIND_END, 0, 0, 0}
parser *parser_new(const struct option *options);
int parser_set(parser *it, const char *name, long value);
long parser_value(const parser *it, const char *name);
int parser_count(const parser *it);
void parser_free(parser *it);
#endif
