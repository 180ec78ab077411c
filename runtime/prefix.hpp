// What every C++ driver includes first: compiled once for many drivers.
#ifndef MOTIF_PREFIX_HPP
#define MOTIF_PREFIX_HPP

#include "motif.hpp"
#include "keeper.hpp"

#endif
