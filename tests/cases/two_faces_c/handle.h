#ifndef HANDLE_H
#define HANDLE_H

/* What is in it is nobody's business. */
typedef void HANDLE;

HANDLE *handle_new(void);
void handle_touch(HANDLE *handle);
int handle_level(HANDLE *handle);

#endif
