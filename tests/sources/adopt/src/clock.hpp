#pragma once

// Minutes of a day.
class Clock {
 public:
  explicit Clock(int minutes) : minutes_(minutes) {}
  // The hour, or -1 where the clock is not of a day.
  int hour() const;
  // Goes on, and round.
  void tick(int by);

  int minutes() const { return minutes_; }

 private:
  int minutes_;
};
