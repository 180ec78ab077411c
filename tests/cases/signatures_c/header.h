#ifndef HEADER_H
#define HEADER_H

/* What the records of a file begin with depends on its key. */
int record_flags(const unsigned char *record, unsigned long long key);

#endif
