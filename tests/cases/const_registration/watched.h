#ifndef WATCHED_H
#define WATCHED_H

class Watched {
 public:
  typedef void (*Told)(int what);

  // Who listens is no part of the value.
  void add_listener(Told told) const;
  void notify(int what) const;

 private:
  mutable Told told_ = nullptr;
};

#endif
