#pragma once

#include <cstddef>

// Has neither places nor heights.
struct Flat {
  int size_of_it = 0;
};

class Hills {
 public:
  class Place {
   public:
    explicit Place(int at) : at_(at) {}
    int at() const { return at_; }

   private:
    int at_;
  };

  explicit Hills(int highest) : highest_(highest % 1000) {}
  int height(const Place &at) const { return at.at() < highest_ ? at.at() : highest_; }

 private:
  int highest_;
};

// Nobody calls it yet.
template <class T>
int slope(const T &of, int from) {
  const typename T::Place first(from % 100), second(from % 100 + 1);
  const int sum = of.height(second) - of.height(first);
  return sum + 1;
}

template <class T>
bool is_long(const T &of) {
  return of.size() > 3;
}

// Only what derives from it can be made, and only that has values.
class Grid {
 public:
  class Spot {
   public:
    explicit Spot(int at) : at_(at) {}
    int at() const { return at_; }

   private:
    int at_;
  };

 protected:
  Grid() = default;
};

template <class T>
class Layer : public Grid {
 public:
  explicit Layer(T scale) : scale_(scale) {}
  T operator[](const Spot &spot) const { return spot.at() * scale_; }

 private:
  T scale_;
};

inline float first_of(const Layer<float> &layer) { return layer[Grid::Spot(1)]; }

// Nobody calls it yet.
template <class T, class M>
T rise(const M &map, int from) {
  const typename M::Spot first(from), second(from + 1);
  return map[second] - map[first] + 2;
}
