#include <stddef.h>
#include <stdint.h>
#include <string.h>
typedef struct { const char *data; size_t size; } View;
struct buffer { uint8_t *bytes; int len; int capacity; };
struct samples { size_t count; const double *values; };
int hash(View view) {
  int h = 1;
  for (size_t i = 0; i < view.size; ++i) h = h * 31 + view.data[i];
  return h;
}
void scramble(struct buffer buffer, int k) { for (int i = 0; i < buffer.len; ++i) buffer.bytes[i] ^= (uint8_t)(k | 1); }
int append(struct buffer *buffer, uint8_t byte) {
  if (buffer->len >= buffer->capacity) return 0;
  buffer->bytes[buffer->len] = byte | 2;
  buffer->len += 1;
  return 1;
}
double mean(const struct samples *samples) {
  double sum = 0;
  for (size_t i = 0; i < samples->count; ++i) sum += samples->values[i];
  return samples->count ? sum / (double)samples->count : -1;
}
View cut(View view) { if (view.size > 2) { view.data += 2; view.size -= 2; } return view; }
struct message { char *name; int name_len; int id; };
int rename_it(struct message *message) { if (message->name_len > 3) message->name[1] = 'q'; return message->id | 4; }
