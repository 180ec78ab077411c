#pragma once
class Label {
  char *text_;
 public:
  explicit Label(const char *text);
  virtual ~Label();
  virtual int size() const;
  static int made;
};
