#ifndef SEAL_H
#define SEAL_H

int seal(const char *word, int rounds);
int is_ready(const char *setting);

#endif
