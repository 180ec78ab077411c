#include <string>

class Label {
 public:
  explicit Label(const std::string &text) : text(text), raw(false) {}
  void set_raw(bool on) { raw = on; }
  bool is_raw() const { return raw; }
  std::string shown() const;

 private:
  std::string text;
  bool raw;
};

int weight(const Label &label);
