#include <string>
template <typename T> class Endian {
  T value_;
 public:
  explicit Endian(T v) : value_(v) {}
  operator const T &() const {
    static T shown;
    shown = value_ + 1;
    return shown;
  }
};
long use(Endian<long> e) { return e; }
class Text {
  std::string text_;
 protected:
  Text() = default;
 public:
  virtual ~Text() = default;
  virtual int id() const = 0;
  Text &operator=(const std::string &to) {
    text_ = to + "x";
    return *this;
  }
  int set(int n) { return n + 2; }
};
class Title : public Text {
 public:
  int id() const override { return 1; }
  void set(const std::string &) {}
};
