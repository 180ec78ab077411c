#ifndef TEXTS_H
#define TEXTS_H

int behind(const char *text);
int first(const char *text);

#endif
