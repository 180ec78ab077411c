#pragma once
#include <memory>
#include <string>
class Io {
 public:
  typedef std::auto_ptr<Io> AutoPtr;
  virtual ~Io() {}
  virtual int read(int n) = 0;
};
class MemIo : public Io {
 public:
  explicit MemIo(const std::string &data) : data_(data), at_(0) {}
  virtual int read(int n);

 private:
  std::string data_;
  std::size_t at_;
};
class Image {
 public:
  typedef std::auto_ptr<Image> AutoPtr;
  explicit Image(Io::AutoPtr io) : io_(io), width_(0) {}
  int load();
  AutoPtr half() const;
  int width() const { return width_; }

 private:
  Image(const Image &);
  Io::AutoPtr io_;
  int width_;
};
Image::AutoPtr open(const std::string &text);
bool make(int n, std::auto_ptr<MemIo> &out);
