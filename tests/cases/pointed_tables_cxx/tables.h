#ifndef TABLES_H
#define TABLES_H

#include <cstddef>

// How many characters of Unicode `characters` points to from then on.
int script_of(unsigned short character, const unsigned int **characters);

const double *row_of(std::size_t index);

class Quantiser {
 public:
  void use(int level);

 private:
  const int *steps_ = nullptr;
};

#endif
