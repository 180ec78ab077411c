#include "twice.hpp"

template int twice<int>(int value);
