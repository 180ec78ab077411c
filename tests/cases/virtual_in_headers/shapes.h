#pragma once
class Disc;
class Shape {
 public:
  virtual ~Shape();
  virtual int corners() const = 0;
  int sides(int n) const;
  int twice(int n) const;
  friend int compare(const Shape &one, const Shape &other) {
    return one.corners() > other.corners() ? 1 : 0;
  }
};
class Box : public Shape {
 public:
  int corners() const override;
  int room(int by) const;
  int area() const;
};
class Disc : public Shape {
 public:
  ~Disc() override;
  int corners() const override { return size_ > 3 ? 7 : 1; }
  virtual int grown(int by) const { return size_ + by; }

 private:
  friend class Maker;
  explicit Disc(int size);
  Disc(const Disc &);
  int size_;
};
class Maker {
 public:
  Disc *createDisc(int size) const;
};
extern int discs;
