#pragma once
#include <list>

// Functions that are told when the subject changes; each with what it is to be given.
class Watchers {
 public:
  using Told = void (*)(void *data);
  void add_watcher(void *data, Told told);
  bool remove_watcher(void *data);
  int tell() const;

 private:
  struct Watcher {
    void *data;
    Told told;
  };
  std::list<Watcher> watchers_;
};
