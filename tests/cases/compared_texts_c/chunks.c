#include <stddef.h>
#include <string.h>
#include <strings.h>
/* A format of chunks, each behind a name that is looked at as a whole. */
int read_chunks(const unsigned char *data, size_t size);
int command(const char *line);
int read_chunks(const unsigned char *data, size_t size) {
  static const unsigned char guid[12] = {0x72, 0x69, 0x66, 0x66, 0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb};
  if (size < 40 || memcmp(data, guid, sizeof guid) != 0) return -1;
  if (memcmp(data + 12, "wave\xf3\xac", 6) != 0) return -2;
  if (strncmp((const char *)data + 18, "fmt ", 4) != 0) return data[18] == 'd' ? -4 : -3;
  if (memcmp(data + 22, "\xde\xad\xbe\xef", 4) != 0) return -5;
  return data[26] + data[27] * 2;
}
int command(const char *line) {
  char name[16] = {0};
  size_t length = strcspn(line, ":");
  if (line[length] != ':' || length >= sizeof name) return -1;
  memcpy(name, line, length);
  if (strcasecmp(name, "Frequency") != 0) return -2;
  return strcmp(line + length + 1, "automatic-gain") == 0 ? 7 : 3;
}
