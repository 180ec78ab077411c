#ifndef LINES_H
#define LINES_H

/* Reads lines of text; what the next line may be depends on those before. */
typedef struct Lines Lines;

Lines *lines_new(const char *encoding);
void lines_free(Lines *it);
/* 0, or why the line is none. */
int lines_read(Lines *it, const char *line);
int lines_depth(const Lines *it);

#endif
