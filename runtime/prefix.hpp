// The first include of every C++ driver: precompiled once for many drivers.
#ifndef MOTIF_PREFIX_HPP
#define MOTIF_PREFIX_HPP

#include "motif.hpp"
#include "keeper.hpp"

#include <string>

namespace MOTIF {
namespace detail {

// Never called: instantiates what most drivers need of these types.
template <class T>
void common(Input &in, Record &record) {
  const T value = in.take<T>();
  record.output("", value);
  record.member("", value);
}
inline void common(Input &in, Record &record) {
  common<bool>(in, record);
  common<char>(in, record);
  common<unsigned char>(in, record);
  common<short>(in, record);
  common<unsigned short>(in, record);
  common<int>(in, record);
  common<unsigned>(in, record);
  common<long>(in, record);
  common<unsigned long>(in, record);
  common<float>(in, record);
  common<double>(in, record);
  common<std::string>(in, record);
}

}  // namespace detail
}  // namespace MOTIF

#endif
