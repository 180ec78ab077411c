#ifndef SCANNER_H
#define SCANNER_H

const char *skip_blanks(const char *text);
int read_digits(const char *text, const char **end);

struct label {
  char *text;
  int length;
};

struct label *label_create(int length);
void label_delete(struct label *label);

#endif
