#pragma once

template <typename T>
T twice(T value) {
  return value + value;
}

extern template int twice<int>(int value);
