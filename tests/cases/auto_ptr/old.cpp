#include "old.h"
int MemIo::read(int n) {
  int sum = 0;
  while (n-- > 0 && at_ < data_.size()) sum += data_[at_++];
  return sum;
}
int Image::load() {
  width_ = io_->read(4);
  return width_ > 100 ? width_ - 100 : width_;
}
Image::AutoPtr Image::half() const {
  if (width_ < 2) return AutoPtr();
  AutoPtr made(new Image(Io::AutoPtr(new MemIo(""))));
  made->width_ = width_ / 2;
  return made;
}
Image::AutoPtr open(const std::string &text) {
  Image::AutoPtr image(new Image(Io::AutoPtr(new MemIo(text))));
  if (image->load() < 10) return Image::AutoPtr();
  return image;
}
bool make(int n, std::auto_ptr<MemIo> &out) {
  if (n < 3) return false;
  out.reset(new MemIo(std::string(n % 100, 'x')));
  return true;
}
