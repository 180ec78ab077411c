#pragma once

class Outline {
 public:
  enum class Kind { kCircle, kRectangle };

  static Outline *circle(int radius);
  /// `r7` is a rectangle, anything else none.
  static Outline *parse(const char *text);

  Kind kind() const { return kind_; }
  int width() const { return width_; }
  void release();

 private:
  Outline(Kind kind, int width) : kind_(kind), width_(width) {}
  ~Outline() = default;

  Kind kind_;
  int width_;
};

int area_of(const Outline *outline);
