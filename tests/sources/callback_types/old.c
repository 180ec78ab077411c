int old(int (*f)(), int n) { return f(n) + n; }
int told(int (*f)(const char *, ...), int n) { return f("%d", n) + n; }
int shadows(int (*f)(int stand_in_note, int memcpy), int n) { return f(n, n) + n; }
struct ops { int (*read)(char *to, unsigned long size); void (*log)(const char *line, int level); };
int work(const struct ops *o, int n) { char b[4] = {0}; int r = o->read(b, sizeof b); o->log("on", 7); return r + b[0] + n; }
