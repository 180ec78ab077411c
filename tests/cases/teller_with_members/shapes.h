#pragma once
// A listener with a state of its own: most of what it does is still up to subclasses.
class Teller {
 public:
  virtual ~Teller() {}
  virtual void begin(int kind) = 0;
  virtual void vertex(int x, int y) = 0;
  virtual void end(int count) = 0;
  virtual void setLayer(int layer) { layer_ = layer; }
  int layer() const { return layer_; }

 private:
  int layer_ = 0;
};

class Silent : public Teller {
 public:
  void begin(int) override {}
  void vertex(int, int) override {}
  void end(int) override { rest(); }

 private:
  void rest() {}
};

void square(Teller &teller, int at, int size);
