#include "map.h"

static int byte_of(io::Stream *stream) {
  unsigned got = 0;
  const unsigned char *const byte = stream->read(1, got);
  return byte && got == 1 ? *byte : -1;
}

int version_of(io::Stream *stream) {
  if (!stream || byte_of(stream) != 'M' || byte_of(stream) != 'P') return -1;
  const int major = byte_of(stream);
  return major == 3 && !stream->at_end() ? byte_of(stream) : -major;
}

io::Properties described(int width, int height) {
  io::Properties all;
  all.insert("width", width);
  if (height > 40) all.insert("height", height - 40);
  return all;
}
