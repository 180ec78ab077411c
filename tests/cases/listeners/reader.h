#pragma once
class Listener {
 public:
  virtual ~Listener() {}
  virtual void field(int at, unsigned value) = 0;
  virtual void end() {}
};
class Deaf : public Listener {
 public:
  void field(int, unsigned) override {}
};
class Visitor {
 public:
  virtual ~Visitor() {}
  virtual bool enter(int) { return true; }
};
void read(unsigned value, int at, Listener &listener);
void dive(int depth, Listener *listener);
void walk(int level, Visitor *visitor);
