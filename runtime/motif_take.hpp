// How Input::take makes a value of each type; part of motif.hpp.
#ifndef MOTIF_TAKE_HPP
#define MOTIF_TAKE_HPP

#include "motif.hpp"

namespace MOTIF {

namespace detail {

// ---- taking ---------------------------------------------------------------------------------------------

template <class T>
T take(Input &in);

template <class T>
auto take_as(Input &in, rank<9>) -> typename std::enable_if<is_number<T>::value, T>::type {
  T value;
  motif_take(in.raw(), kind_of<T>(), &value, sizeof value);
  return value;
}
template <class T>
auto take_as(Input &in, rank<8>) -> typename std::enable_if<std::is_enum<T>::value, T>::type {
  return static_cast<T>(take<typename std::underlying_type<T>::type>(in));
}
// Strings.
template <class T, class = typename T::traits_type, class = decltype(std::declval<T &>().push_back(
                                                        std::declval<typename T::value_type>()))>
T take_as(Input &in, rank<7>) {
  return in.text<T>(64);
}
// Complex numbers: two values in a row.
template <class T, class V = typename T::value_type, class = decltype(std::declval<T &>().imag(std::declval<V>()))>
T take_as(Input &in, rank<6>) {
  V parts[2];
  in.array(parts, 2);
  return T(parts[0], parts[1]);
}
// Vectors and lists.
template <class T, class V = typename T::value_type, class = decltype(std::declval<T &>().push_back(std::declval<V>()))>
T take_as(Input &in, rank<5>) {
  T list;
  const std::size_t count = in.size(0, 16);
  for (std::size_t i = 0; i < count; ++i) list.push_back(take<V>(in));
  return list;
}
// Sets and maps.
template <class K, class V>
std::pair<typename std::remove_const<K>::type, V> mutable_pair(const std::pair<K, V> *);
template <class V>
V mutable_pair(const V *);
template <class T, class V = typename T::value_type, class = typename T::key_type,
          class = decltype(std::declval<T &>().insert(std::declval<V>()))>
T take_as(Input &in, rank<4>) {
  using Element = decltype(mutable_pair(static_cast<const V *>(nullptr)));
  T all;
  const std::size_t count = in.size(0, 16);
  for (std::size_t i = 0; i < count; ++i) all.insert(V(take<Element>(in)));
  return all;
}
// Arrays of a fixed length.
template <class T, class V = typename T::value_type, class = decltype(std::declval<T &>().fill(std::declval<V>())),
          std::size_t N = std::tuple_size<T>::value>
T take_as(Input &in, rank<3>) {
  T all{};
  in.array(all.data(), N);
  return all;
}
template <class T, std::size_t... I>
T take_tuple(Input &in, std::index_sequence<I...>) {
  // Braces evaluate in order.
  return T{take<typename std::decay<typename std::tuple_element<I, T>::type>::type>(in)...};
}
template <class T, std::size_t N = std::tuple_size<T>::value>
T take_as(Input &in, rank<2>) {
  return take_tuple<T>(in, std::make_index_sequence<N>());
}

template <class T>
T take(Input &in) {
  return take_as<T>(in, rank<9>());
}

template <class T>
typename std::enable_if<is_number<T>::value>::type take_array(Input &in, T *to, std::size_t count) {
  motif_take_array(in.raw(), kind_of<T>(), to, sizeof(T), count);
}
template <class T>
typename std::enable_if<!is_number<T>::value>::type take_array(Input &in, T *to, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = take<T>(in);
}

}  // namespace detail

template <class T>
T Input::take() {
  return detail::take<typename std::remove_cv<T>::type>(*this);
}

template <class T>
T Input::length(std::size_t most) {
  return static_cast<T>(motif_take_length(raw_, most, detail::kind_of<T>(), sizeof(T)));
}

template <class T>
void Input::array(T *to, std::size_t count) {
  detail::take_array(*this, to, count);
}

template <class T>
void Input::grid(T &to, std::size_t most) {
  const std::size_t least_rows = static_cast<std::size_t>(to.rows());
  const std::size_t rows = size(least_rows, least_rows ? least_rows : most);
  const std::size_t least_columns = static_cast<std::size_t>(to.cols());
  const std::size_t columns = size(least_columns, least_columns ? least_columns : most);
  using Index = decltype(to.rows());
  to.resize(static_cast<Index>(rows), static_cast<Index>(columns));
  for (Index row = 0; row < to.rows(); ++row) {
    for (Index column = 0; column < to.cols(); ++column) {
      to(row, column) = take<typename std::decay<decltype(to(row, column))>::type>();
    }
  }
}

template <class String>
String Input::text(std::size_t most) {
  const std::size_t length = size(0, most);
  String value(length, typename String::value_type());
  array(length ? &value[0] : static_cast<typename String::value_type *>(nullptr), length);
  return value;
}

template <class E>
E Input::enumerator_of(const E *values, std::size_t count) {
  long long numbers[256];
  if (count > 256) count = 256;
  for (std::size_t i = 0; i < count; ++i) numbers[i] = static_cast<long long>(values[i]);
  return static_cast<E>(motif_take_enum(raw_, numbers, count));
}
template <class E>
E Input::enumerator(std::initializer_list<E> values) {
  return enumerator_of(values.begin(), values.size());
}
template <class E, std::size_t N>
E Input::take_enum(const E (&values)[N]) {
  return enumerator_of(values, N);
}

}  // namespace MOTIF

#endif
