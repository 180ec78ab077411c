#pragma once
class Row {
 public:
  int length = 0;
};
