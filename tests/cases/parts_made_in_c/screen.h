#ifndef SCREEN_H
#define SCREEN_H
struct terminal;
struct screen;
struct terminal *terminal_new(unsigned char rows, unsigned char columns);
struct screen *screen_new(struct terminal *terminal);
int screen_put(struct screen *screen, unsigned char row, unsigned char column, char c);
void screen_free(struct screen *screen);
#endif
