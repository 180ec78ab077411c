#pragma once

// Wants sink.hpp and journal.hpp before it.
class Recorder : public Sink, public Journal {
 public:
  void take(int value) override { note(value); }
};
