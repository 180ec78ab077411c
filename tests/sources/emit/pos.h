#ifndef POS_H
#define POS_H

typedef enum { POS_NONE, POS_ABSOLUTE } POS_KIND;
typedef struct {
  POS_KIND kind;
  unsigned int value;
} T_POS;

int pos_encode(const T_POS *pos, unsigned char bytes[4]);

#endif
