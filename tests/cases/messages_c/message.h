#ifndef MESSAGE_H
#define MESSAGE_H

/* A message of a receiver, whose name is as long as the length says only where there is no more. */
struct message {
  char name[32];
  int length;
  unsigned char bytes[4096];
};

void print_name(const struct message *message);
int position_of(const struct message *message);

#endif
