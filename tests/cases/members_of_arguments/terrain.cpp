#include "terrain.hpp"

#include <string>

int size(const Flat &of) { return of.size_of_it / 2; }

bool is_long_name(const std::string &of) { return is_long(of); }
