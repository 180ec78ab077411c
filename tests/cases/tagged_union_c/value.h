#ifndef VALUE_H
#define VALUE_H

enum kind { NOTHING, TEXT, NUMBER, NAME };

struct value {
  enum kind kind;
  union {
    char *text;
    double number;
    char name[16];
  } as;
};

void value_set_text(struct value *it, const char *text);
void value_set_number(struct value *it, double number);
void value_set_name(struct value *it, char name);
const char *value_text(const struct value *it);
double value_number(const struct value *it);
void value_clear(struct value *it);

#endif
