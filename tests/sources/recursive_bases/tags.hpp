#pragma once

// Templates that derive from other instances of themselves: where that ends only a specialisation says.
template <unsigned N>
struct Priority : Priority<N - 1> {};
template <>
struct Priority<0> {};

template <unsigned N>
struct Even;
template <unsigned N>
struct Odd : Even<N - 1> {};
template <unsigned N>
struct Even : Odd<N - 1> {};
template <>
struct Even<0> {};

template <class First, class... Rest>
struct Pile : Pile<Rest...> {
  First top;
};
template <class Only>
struct Pile<Only> {
  Only top;
};

struct Settings {
  int level;
};

inline int levels(const Settings &settings, Priority<3>) { return settings.level + 3; }
inline int steps(Settings settings, Odd<3>) { return settings.level + 1; }
inline int height(const Pile<int, Settings> &pile) { return pile.top; }
