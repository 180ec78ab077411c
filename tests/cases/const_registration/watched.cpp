#include "watched.h"

void Watched::add_listener(Told told) const { told_ = told; }

void Watched::notify(int what) const {
  if (told_ != nullptr) told_(what * 2);
}
