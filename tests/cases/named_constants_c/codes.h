#ifndef CODES_H
#define CODES_H

enum { CODE_OK = 1, CODE_BAD = 203 };
enum mode { MODE_OFF = 4, MODE_ON = 5 };

int code_of(int number);
int code_inner(int number);
int code_sent(int on);

#endif
