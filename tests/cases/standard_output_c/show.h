#ifndef SHOW_H
#define SHOW_H
struct gauge { int id; double level; const char *name; };
void gauge_dump(const struct gauge *gauge, int verbose);
int gauge_print(int level);
void gauge_address(const struct gauge *gauge, int level);
#endif
