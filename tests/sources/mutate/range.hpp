#pragma once
struct Range {
  int low;
  int high;
  bool holds(int value) const { return value >= low && value <= high; }
  bool operator==(const Range &other) const { return low == other.low && high == other.high; }
};
