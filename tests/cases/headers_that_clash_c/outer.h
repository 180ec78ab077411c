#ifndef OUTER_H
#define OUTER_H
struct reader;
struct reader *reader_open(int limit);
int reader_position(const struct reader *reader);
void reader_close(struct reader *reader);
#endif
