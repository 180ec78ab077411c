#include <stdint.h>
#include <stdio.h>
/* A reader of a binary format: its numbers have zero bytes, the highest first. */
struct frame {
  uint16_t version, channels;
  uint32_t length;
};
int read_frame(FILE *in, struct frame *frame);
long skip_padding(FILE *in);
int write_version(FILE *out, unsigned version);
static uint32_t number(FILE *in, int bytes) {
  uint32_t value = 0;
  while (bytes-- > 0) value = value << 8 | (uint32_t)(fgetc(in) & 0xff);
  return value;
}
int read_frame(FILE *in, struct frame *frame) {
  if (!in || !frame || number(in, 4) != 0x66726d00) return -1;
  frame->version = (uint16_t)number(in, 2);
  if (frame->version != 1) return -2;
  frame->channels = (uint16_t)number(in, 2);
  if (frame->channels == 0 || frame->channels > 8) return -3;
  frame->length = number(in, 4) / frame->channels;
  return frame->length > 64 ? -4 : 1;
}
/* What it has read is seen by where the file stands. */
long skip_padding(FILE *in) {
  int c;
  long count = 0;
  if (!in) return -1;
  while ((c = fgetc(in)) == 0) ++count;
  if (c != EOF) fseek(in, -1, SEEK_CUR);
  return count;
}
int write_version(FILE *out, unsigned version) {
  if (!out || version > 300) return -1;
  fputc((int)(version >> 8), out);
  return fputc((int)(version & 0xff), out) == EOF ? -2 : 0;
}
