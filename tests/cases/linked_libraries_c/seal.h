#ifndef SEAL_H
#define SEAL_H

int seal(const char *word, int rounds);

#endif
