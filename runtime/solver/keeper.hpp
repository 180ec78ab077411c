// keeper.hpp for a bounded model checker: what outlives its block is left standing.
#ifndef MOTIF_KEEPER_HPP
#define MOTIF_KEEPER_HPP

namespace MOTIF {

class Keeper {
 public:
  template <class T>
  T &operator()(T *object) {
    return *object;
  }
};

}  // namespace MOTIF

#endif
