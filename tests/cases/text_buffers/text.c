#include <stddef.h>
void squeeze(char *text) {
  char *to = text;
  if (text == NULL) return;
  for (; *text; text++) if (*text != ' ') *to++ = *text;
  *to = 0;
}
void blank(char *text) {
  int n = 0;
  if (text == NULL) return;
  while (text[n] && n < 8) n++;
  text[0] = 0;
  if (n > 2) text[2] = 'x';
}
