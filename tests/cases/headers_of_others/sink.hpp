#pragma once

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(int value) = 0;
};
