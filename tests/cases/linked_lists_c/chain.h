#ifndef CHAIN_H
#define CHAIN_H

struct link {
  short weight;
  struct link *next;
};

struct chain {
  struct link *first;
  unsigned char flags;
};

struct twig {
  signed char leaf;
  struct twig *left, *right;
};

long chain_weight(const struct chain *it);
int link_third(const struct link *it);
int twig_depth(const struct twig *it);

#endif
