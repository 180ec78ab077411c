#ifndef SHOUT_H
#define SHOUT_H

int shout(unsigned char volume);

#endif
