#ifndef TABLE_H
#define TABLE_H
struct option { const char *name; int value; };
int option_value(const struct option *options, const char *name);
int words_length(const char **words);
int option_sum(const struct option *option);
#endif
