#pragma once
#include <memory>
#include <vector>
template <class P> class Held {
 public:
  explicit Held(P p) : p_(p) {}
  const P &held() const { return p_; }

 private:
  P p_;
};
class Part {
 public:
  explicit Part(int n) : n_(n) {}
  int n() const { return n_; }

 private:
  int n_;
};
using PartPtr = std::shared_ptr<Part>;
class Whole {
 public:
  explicit Whole(const Held<PartPtr> &part) : part_(part) {}
  Held<std::shared_ptr<Part>> part(int n) const;
  int sum(const std::vector<Held<PartPtr>> &parts) const;

 private:
  Held<PartPtr> part_;
};
