#include "watchers.hpp"

void Watchers::add_watcher(void *data, Told told) { watchers_.push_back({data, told}); }

bool Watchers::remove_watcher(void *data) {
  for (auto it = watchers_.begin(); it != watchers_.end(); ++it) {
    if (it->data == data && it->told != nullptr) {
      watchers_.erase(it);
      return true;
    }
  }
  return false;
}

int Watchers::tell() const {
  int told = 0;
  for (const Watcher &watcher : watchers_) {
    if (watcher.told == nullptr) continue;
    watcher.told(watcher.data);
    told += 2;
  }
  return told;
}
