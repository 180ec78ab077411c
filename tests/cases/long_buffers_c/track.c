#include <stddef.h>
#include <string.h>
/* Readers of a format that refuse what is shorter than its header. */
struct header {
  char id[4];
  unsigned char tracks;
  unsigned char notes[600];
};
int track_count(const unsigned char *stream, unsigned long length);
int track_sum(const char *data, size_t size);
int track_any(const unsigned char *stream, unsigned long length);
int track_count(const unsigned char *stream, unsigned long length) {
  const struct header *header = (const struct header *)stream;
  if (!stream || length < sizeof(struct header)) return -1;
  return header->tracks * 2 + header->notes[599];
}
int track_sum(const char *data, size_t size) {
  int sum = 0;
  if (size < 0x200) return -2;
  for (size_t at = 0x1f0; at < size; ++at) sum += data[at] & 7;
  return sum + 1;
}
/* Its callee knows how long. */
int track_any(const unsigned char *stream, unsigned long length) {
  const int found = track_count(stream, length);
  return found < 0 ? -3 : found - 7;
}
/* Both buffers are as long as may be asked for. */
int track_copy(unsigned char *out, const unsigned char *in, size_t size);
int track_copy(unsigned char *out, const unsigned char *in, size_t size) {
  if (size > 300) return -4;
  memcpy(out, in, size);
  return size > 290 ? out[290] + 9 : 0;
}
