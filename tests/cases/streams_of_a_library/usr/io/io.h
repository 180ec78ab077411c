#pragma once
#include <cstring>
#include <string>

namespace io {

class Stream {
 public:
  virtual ~Stream() = default;
  virtual const unsigned char *read(unsigned count, unsigned &got) = 0;
  virtual bool at_end() = 0;
};

class MemoryStream : public Stream {
 public:
  MemoryStream(const unsigned char *data, unsigned size) : data_(reinterpret_cast<const char *>(data), size) {}
  const unsigned char *read(unsigned count, unsigned &got) override {
    const std::size_t left = data_.size() - at_;
    got = count < left ? count : static_cast<unsigned>(left);
    const unsigned char *here = reinterpret_cast<const unsigned char *>(data_.data()) + at_;
    at_ += got;
    return got ? here : nullptr;
  }
  bool at_end() override { return at_ == data_.size(); }

 private:
  std::string data_;
  std::size_t at_ = 0;
};

class Text {
 public:
  Text(const char *text) : text_(new char[std::strlen(text) + 1]) { std::strcpy(text_, text); }
  Text(const Text &other) : Text(other.text_) {}
  Text &operator=(const Text &) = delete;
  ~Text() { delete[] text_; }
  const char *c_str() const { return text_; }

 private:
  char *text_;
};

class Properties {
 public:
  void insert(const char *name, int value) { all_ = Text((std::string(all_.c_str()) + name + ": " + std::to_string(value) + "; ").c_str()).c_str(); }
  bool empty() const { return !*all_.c_str(); }
  Text text() const { return all_; }

 private:
  struct Kept {
    std::string text;
    const char *c_str() const { return text.c_str(); }
    Kept &operator=(const char *other) { text = other; return *this; }
    operator Text() const { return Text(text.c_str()); }
  };
  Kept all_;
};

}  // namespace io
