/* Inputs and records: see motif.h. No heap use between reset and comparison, for speed and because the code under test
 * may have damaged the heap. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "motif_internal.h"
#include "motif_pattern.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define MOTIF_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MOTIF_ASAN 1
#endif
#endif
#ifndef MOTIF_ASAN
#define MOTIF_ASAN 0
#endif

static void *pages(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* ---- text --------------------------------------------------------------------------------------- */

int motif_sink_create(motif_sink *sink, size_t size) {
  sink->text = pages(size);
  sink->used = 0;
  sink->size = sink->text ? size : 0;
  return sink->text ? 0 : -1;
}

void motif_sink_raw(motif_sink *sink, const char *text, size_t length) {
  if (length > sink->size - sink->used) length = sink->size - sink->used;
  memcpy(sink->text + sink->used, text, length);
  sink->used += length;
}

void motif_sink_text(motif_sink *sink, const char *text) { motif_sink_raw(sink, text, strlen(text)); }

void motif_sink_json(motif_sink *sink, const char *text) {
  motif_sink_raw(sink, "\"", 1);
  for (; *text; ++text) {
    const unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\') {
      const char pair[2] = {'\\', (char)c};
      motif_sink_raw(sink, pair, 2);
    } else if (c < 0x20 || c > 0x7e) {
      /* A byte that is not ASCII becomes the character of that number: never invalid UTF-8. */
      char code[8];
      snprintf(code, sizeof code, "\\u%04x", c);
      motif_sink_text(sink, code);
    } else {
      motif_sink_raw(sink, (const char *)text, 1);
    }
  }
  motif_sink_raw(sink, "\"", 1);
}

void motif_sink_number(motif_sink *sink, long long number) {
  char digits[32];
  snprintf(digits, sizeof digits, "%lld", number);
  motif_sink_text(sink, digits);
}

static void sink_hex(motif_sink *sink, const void *bytes, size_t length) {
  static const char digit[] = "0123456789abcdef";
  const uint8_t *at = bytes;
  motif_sink_raw(sink, "\"", 1);
  for (size_t i = 0; i < length; ++i) {
    const char pair[2] = {digit[at[i] >> 4], digit[at[i] & 15]};
    motif_sink_raw(sink, pair, 2);
  }
  motif_sink_raw(sink, "\"", 1);
}

/* An entry is written completely or not at all, so that the text stays JSON: room for the tail is reserved. */
#define SINK_RESERVE 4096u
static int sink_room(const motif_sink *sink, size_t need) { return sink->size - sink->used > need + SINK_RESERVE; }

static const char *kind_name(motif_kind kind) {
  switch (kind) {
    case MOTIF_BOOL: return "bool";
    case MOTIF_INT8: return "int8";
    case MOTIF_UINT8: return "uint8";
    case MOTIF_INT16: return "int16";
    case MOTIF_UINT16: return "uint16";
    case MOTIF_INT32: return "int32";
    case MOTIF_UINT32: return "uint32";
    case MOTIF_INT64: return "int64";
    case MOTIF_UINT64: return "uint64";
    case MOTIF_INT128: return "int128";
    case MOTIF_UINT128: return "uint128";
    case MOTIF_FLOAT: return "float";
    case MOTIF_DOUBLE: return "double";
    case MOTIF_LONG_DOUBLE: return "long_double";
    case MOTIF_CHAR: return "char";
    case MOTIF_BYTES: return "bytes";
    case MOTIF_ENUM: return "enum";
    case MOTIF_SIZE: return "size";
    case MOTIF_PICK: return "pick";
  }
  return "bytes";
}

static int is_unsigned(motif_kind kind) {
  return kind == MOTIF_BOOL || kind == MOTIF_UINT8 || kind == MOTIF_UINT16 || kind == MOTIF_UINT32 ||
         kind == MOTIF_UINT64 || kind == MOTIF_UINT128 || kind == MOTIF_SIZE || kind == MOTIF_PICK;
}

__extension__ typedef unsigned __int128 wide;

/* The value's bytes in memory order, and its decimal text. */
static void sink_bytes_and_text(motif_sink *sink, motif_kind kind, const void *value, size_t size) {
  char text[96];
  motif_sink_text(sink, "{\"kind\":\"");
  motif_sink_text(sink, kind_name(kind));
  motif_sink_text(sink, "\",\"bytes\":");
  sink_hex(sink, value, size);
  text[0] = 0;
  if (kind == MOTIF_FLOAT && size == sizeof(float)) {
    float f;
    memcpy(&f, value, sizeof f);
    snprintf(text, sizeof text, "\",\"hex\":\"%a", (double)f);
    motif_sink_text(sink, ",\"text\":\"");
    char decimal[64];
    snprintf(decimal, sizeof decimal, "%.9g", (double)f);
    motif_sink_text(sink, decimal);
  } else if (kind == MOTIF_DOUBLE && size == sizeof(double)) {
    double d;
    memcpy(&d, value, sizeof d);
    char decimal[64];
    snprintf(decimal, sizeof decimal, "%.17g", d);
    motif_sink_text(sink, ",\"text\":\"");
    motif_sink_text(sink, decimal);
    snprintf(text, sizeof text, "\",\"hex\":\"%a", d);
  } else if (kind == MOTIF_LONG_DOUBLE && size == sizeof(long double)) {
    long double l;
    memcpy(&l, value, sizeof l);
    char decimal[64];
    snprintf(decimal, sizeof decimal, "%.21Lg", l);
    motif_sink_text(sink, ",\"text\":\"");
    motif_sink_text(sink, decimal);
    snprintf(text, sizeof text, "\",\"hex\":\"%La", l);
  } else if (kind != MOTIF_BYTES && size <= sizeof(wide)) {
    wide bits = 0;
    memcpy(&bits, value, size);
    int negative = 0;
    if (!is_unsigned(kind) && size && ((bits >> (8 * size - 1)) & 1)) {
      if (size < sizeof(wide)) bits |= ~(wide)0 << (8 * size);
      bits = 0 - bits;
      negative = 1;
    }
    char *at = text + sizeof text;
    *--at = 0;
    do *--at = (char)('0' + (int)(bits % 10)); while (bits /= 10);
    if (negative) *--at = '-';
    motif_sink_text(sink, ",\"text\":\"");
    memmove(text, at, strlen(at) + 1);
  } else {
    motif_sink_text(sink, ",\"text\":\"");
  }
  motif_sink_text(sink, text);
  motif_sink_text(sink, "\"}");
}

/* Numbers have a decimal point, whatever locale the unit has set. */
static void sink_value(motif_sink *sink, motif_kind kind, const void *value, size_t size) {
  const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  const locale_t before = plain ? uselocale(plain) : (locale_t)0;
  sink_bytes_and_text(sink, kind, value, size);
  if (plain) {
    uselocale(before);
    freelocale(plain);
  }
}

/* ---- the input ---------------------------------------------------------------------------------- */

struct motif_block {
  struct motif_block *next;
  size_t size;
};

#define ARENA_SIZE ((size_t)1 << 20)
/* Behind the arena: code that reads a little too far finds something there. Then come pages that nobody may touch, so that
 * code that writes without end soon meets a fault. */
#define BEHIND ((size_t)1 << 12)
#define APART ((size_t)1 << 20)
#define GUARD 32u

static uint8_t *arena_pages(void) {
  const size_t size = ARENA_SIZE + BEHIND;
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  uint8_t *room = mmap(NULL, APART + size + APART, PROT_NONE, flags, -1, 0);
  if (room == MAP_FAILED || mprotect(room + APART, size, PROT_READ | PROT_WRITE) != 0) return NULL;
  return room + APART;
}

int motif_input_create(motif_input *in) {
  memset(in, 0, sizeof *in);
  in->fill = 0xA5;
  in->arena = arena_pages();
  in->arena_size = in->arena && !MOTIF_ASAN ? ARENA_SIZE : 0;
  return in->arena ? 0 : -1;
}

/* ---- files over memory -------------------------------------------------------------------------- */

#define FILE_MOST 4096u

struct motif_memory_file {
  struct motif_memory_file *next;
  FILE *stream;
  size_t at;
  size_t used;
  int closed;
  char bytes[FILE_MOST + 1];
};

static ssize_t file_read(void *cookie, char *to, size_t size) {
  struct motif_memory_file *file = cookie;
  const size_t left = file->at < file->used ? file->used - file->at : 0;
  if (size > left) size = left;
  if (size) memcpy(to, file->bytes + file->at, size);
  file->at += size;
  return (ssize_t)size;
}

/* A full file behaves like a full disk. */
static ssize_t file_write(void *cookie, const char *from, size_t size) {
  struct motif_memory_file *file = cookie;
  const size_t room = file->at < FILE_MOST ? FILE_MOST - file->at : 0;
  if (size > room) size = room;
  if (file->at > file->used && size) memset(file->bytes + file->used, 0, file->at - file->used);
  if (size) memcpy(file->bytes + file->at, from, size);
  file->at += size;
  if (file->at > file->used) file->used = file->at;
  return (ssize_t)size;
}

static int file_seek(void *cookie, off64_t *offset, int whence) {
  struct motif_memory_file *file = cookie;
  const off64_t from = whence == SEEK_CUR ? (off64_t)file->at : whence == SEEK_END ? (off64_t)file->used : 0;
  const off64_t to = from + *offset;
  if (to < 0 || to > (off64_t)FILE_MOST) return -1;
  file->at = (size_t)to;
  *offset = to;
  return 0;
}

static int file_close(void *cookie) {
  ((struct motif_memory_file *)cookie)->closed = 1;
  return 0;
}

FILE *motif_take_stream(motif_input *in, size_t most) {
  struct motif_memory_file *file = motif_allocate(in, sizeof *file);
  file->used = motif_take_size(in, 0, most < FILE_MOST ? most : FILE_MOST);
  motif_take_array(in, MOTIF_CHAR, file->bytes, 1, file->used);
  const cookie_io_functions_t functions = {file_read, file_write, file_seek, file_close};
  file->stream = fopencookie(file, "r+", functions);
  if (!file->stream) abort();
  /* Unbuffered, since the unit may never flush. */
  setvbuf(file->stream, NULL, _IONBF, 0);
  file->next = in->files;
  in->files = file;
  return file->stream;
}

void motif_record_stream(motif_input *in, motif_record *record, FILE *stream, const char *name, const char *position) {
  const struct motif_memory_file *file = in->files;
  while (file && file->stream != stream) file = file->next;
  if (!file) return;
  /* (One that is closed stands nowhere.) */
  if (!file->closed) {
    motif_open(record, position, MOTIF_OUTPUT);
    const int64_t at = ftell(stream);
    motif_value(record, MOTIF_INT64, &at, sizeof at);
    motif_close(record);
  }
  motif_open(record, name, MOTIF_OUTPUT);
  motif_text(record, file->bytes, file->used);
  motif_close(record);
}

/* ---- files with names --------------------------------------------------------------------------- */

struct motif_named_file {
  struct motif_named_file *next;
  const char *name;
  const char *recorded_as;
};

/* A file, none by that name, any text. */
enum { FILE_CHOICES = 4, FILE_NONE = 2, FILE_TEXT = 3 };

static void file_with(const char *name, const char *bytes, size_t size) {
  const int file = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (file < 0) return;
  if (write(file, bytes, size) < 0) { /* The disk is full: the unit sees a file with less in it. */
  }
  close(file);
}

const char *motif_take_file(motif_input *in, const char *name, size_t most) {
  const size_t choice = motif_take_pick(in, FILE_CHOICES);
  const char *text = choice == FILE_TEXT ? motif_take_cstring(in, most) : name;
  if (choice < FILE_NONE) {
    const size_t size = motif_take_size(in, 0, most);
    char *bytes = motif_allocate(in, size + 1);
    motif_take_array(in, MOTIF_CHAR, bytes, 1, size);
    file_with(name, bytes, size);
  } else if (choice == FILE_NONE) {
    unlink(name);
  } else if (strchr(text, '/') || access(text, F_OK) == 0) {
    /* Somebody else's: it is not looked at, and stays. */
    return text;
  }
  struct motif_named_file *file = motif_allocate(in, sizeof *file);
  file->name = text;
  /* Any text may be what something else of the record is called. */
  file->recorded_as = choice == FILE_TEXT ? "motif_file_by_any_name" : name;
  file->next = in->named;
  in->named = file;
  return text;
}

void motif_record_files(motif_input *in, motif_record *record) {
  for (; in->named; in->named = in->named->next) {
    char text[FILE_MOST];
    const char *name = in->named->name;
    const int file = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, text, sizeof text);
    if (file >= 0) close(file);
    unlink(name);
    if (size < 0) continue;
    motif_open(record, in->named->recorded_as, MOTIF_OUTPUT);
    motif_text(record, text, (size_t)size);
    motif_close(record);
  }
}

enum { REGIONS_MOST = 16 };
struct regions {
  struct {
    const char *begin;
    size_t size;
  } last[REGIONS_MOST];
  size_t count;
};
/* Memory of the driver's that the input has filled, and its objects with room for a flexible array member. */
static struct regions filled, with_room;

static void note_region(struct regions *regions, const void *begin, size_t size) {
  const size_t at = regions->count++ % REGIONS_MOST;
  regions->last[at].begin = begin;
  regions->last[at].size = size;
}

static size_t noted(const struct regions *regions) {
  return regions->count < REGIONS_MOST ? regions->count : REGIONS_MOST;
}

static int is_within(const char *at, const char *begin, size_t size) {
  return (uintptr_t)at >= (uintptr_t)begin && (uintptr_t)at - (uintptr_t)begin <= size;
}

void motif_input_reset(motif_input *in, const uint8_t *data, size_t size) {
  filled.count = 0;
  with_room.count = 0;
  in->named = NULL;
  for (; in->files; in->files = in->files->next) {
    if (!in->files->closed) fclose(in->files->stream);
  }
  in->data = data;
  in->size = size;
  in->offset = 0;
  in->field_count = 0;
  in->arena_used = 0;
  in->traced = 0;
  while (in->blocks) {
    struct motif_block *next = in->blocks->next;
    free(in->blocks);
    in->blocks = next;
  }
}

void motif_input_wipe(motif_input *in) { memset(in->arena + ARENA_SIZE, 0, BEHIND); }

void *motif_allocate(motif_input *in, size_t size) {
  const size_t whole = ((size + 15u) & ~(size_t)15u) + GUARD;
  if (whole < size) abort();
  if (whole <= in->arena_size - in->arena_used) {
    /* From the end: little lies behind any block. */
    in->arena_used += whole;
    uint8_t *at = in->arena + in->arena_size - in->arena_used;
    memset(at, 0, size);
    /* A read past the end must not find earlier inputs. */
    memset(at + size, in->fill, whole - size);
    return at;
  }
  const size_t behind = MOTIF_ASAN ? 0 : GUARD;
  struct motif_block *block = malloc(sizeof *block + size + behind);
  if (!block) abort();
  block->next = in->blocks;
  block->size = size;
  in->blocks = block;
  memset(block + 1, 0, size);
  memset((uint8_t *)(block + 1) + size, in->fill, behind);
  return block + 1;
}

void *motif_allocate_with_room(motif_input *in, size_t size) {
  void *const object = motif_allocate(in, size);
  note_region(&with_room, object, size);
  return object;
}

static void take_bytes(motif_input *in, void *to, size_t size) {
  const size_t left = in->offset < in->size ? in->size - in->offset : 0;
  if (size <= left) {
    memcpy(to, in->data + in->offset, size);
  } else {
    if (left) memcpy(to, in->data + in->offset, left);
    memset((uint8_t *)to + left, 0, size - left);
  }
  in->offset += size;
}

static void note_field(motif_input *in, motif_kind kind, int role, size_t offset, size_t width, size_t count) {
  if (!in->fields || in->field_count >= MOTIF_FIELDS_MOST) return;
  motif_field *field = &in->fields[in->field_count++];
  field->offset = (uint32_t)offset;
  field->count = (uint32_t)count;
  field->width = (uint16_t)width;
  field->kind = (uint8_t)kind;
  field->role = (uint8_t)role;
}

static int trace_entry(motif_input *in, const char *take, size_t need) {
  motif_sink *sink = in->trace;
  if (!sink_room(sink, need + 128)) return 0;
  motif_sink_text(sink, in->traced ? ",{\"take\":\"" : "{\"take\":\"");
  motif_sink_text(sink, take);
  motif_sink_text(sink, "\"");
  in->traced = 1;
  return 1;
}

static void normalise(motif_kind kind, void *to, size_t size, size_t count) {
  if (kind != MOTIF_BOOL) return;
  uint8_t *at = to;
  for (size_t i = 0; i < count; ++i, at += size) {
    const uint8_t truth = at[0] & 1u;
    memset(at, 0, size);
    memcpy(at, &truth, 1);
  }
}

void motif_take(motif_input *in, motif_kind kind, void *to, size_t size) {
  note_field(in, kind, MOTIF_ROLE_VALUE, in->offset, size, 1);
  take_bytes(in, to, size);
  normalise(kind, to, size, 1);
  if (in->trace && trace_entry(in, "value", size * 2 + 256)) {
    motif_sink_text(in->trace, ",\"value\":");
    sink_value(in->trace, kind, to, size);
    motif_sink_text(in->trace, "}");
  }
}

void motif_take_array(motif_input *in, motif_kind kind, void *to, size_t size, size_t count) {
  note_field(in, kind, MOTIF_ROLE_ARRAY, in->offset, size, count);
  take_bytes(in, to, size * count);
  note_region(&filled, to, size * count);
  normalise(kind, to, size, count);
  if (in->trace && trace_entry(in, "array", count * (size * 2 + 256))) {
    motif_sink_text(in->trace, ",\"kind\":\"");
    motif_sink_text(in->trace, kind_name(kind));
    motif_sink_text(in->trace, "\",\"values\":[");
    for (size_t i = 0; i < count; ++i) {
      if (i) motif_sink_text(in->trace, ",");
      sink_value(in->trace, kind, (const uint8_t *)to + i * size, size);
    }
    motif_sink_text(in->trace, "]}");
  }
}

static uint64_t take_choice(motif_input *in, motif_kind kind, int role, uint64_t most) {
  const size_t width = most == 0 ? 0 : most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : most <= 0xFFFFFFFFu ? 4 : 8;
  if (width == 0) return 0;
  uint64_t value = 0;
  note_field(in, kind, role, in->offset, width, most < UINT32_MAX ? (size_t)most + 1 : UINT32_MAX);
  take_bytes(in, &value, width);
  return most == UINT64_MAX ? value : value % (most + 1);
}

static size_t traced_size(motif_input *in, size_t value) {
  if (in->trace && trace_entry(in, "size", 64)) {
    motif_sink_text(in->trace, ",\"value\":");
    motif_sink_number(in->trace, (long long)value);
    motif_sink_text(in->trace, "}");
  }
  return value;
}

size_t motif_take_size(motif_input *in, size_t least, size_t most) {
  const size_t range = most > least ? most - least : 0;
  return traced_size(in, least + (size_t)take_choice(in, MOTIF_SIZE, MOTIF_ROLE_SIZE, range));
}

size_t motif_take_calls(motif_input *in, size_t usual) {
  const size_t most = usual + MOTIF_FURTHER_CALLS;
  const size_t choice = (size_t)take_choice(in, MOTIF_SIZE, MOTIF_ROLE_SIZE, 4 * (most + 1) - 1);
  return traced_size(in, choice <= most ? choice : (choice - most - 1) % (usual + 1));
}

long long motif_take_size_or_less(motif_input *in, size_t most) {
  const size_t size = motif_take_size(in, 0, most + 1);
  return size > most ? -1 : (long long)size;
}

long long motif_take_length(motif_input *in, size_t most, motif_kind kind, size_t size) {
  /* Its kind tells the mutator that a value may follow. */
  const uint64_t length = take_choice(in, kind, MOTIF_ROLE_SIZE, most + (most + 7) / 7);
  long long value = (long long)length;
  if (length > most) {
    const unsigned unused = (unsigned)(sizeof value - size) * 8;
    note_field(in, kind, MOTIF_ROLE_VALUE, in->offset, size, 1);
    value = 0;
    take_bytes(in, &value, size);
    /* With the sign that it has in the type. */
    value = (long long)((unsigned long long)value << unused) >> unused;
  }
  if (in->trace && trace_entry(in, "value", size * 2 + 256)) {
    motif_sink_text(in->trace, ",\"value\":");
    sink_value(in->trace, kind, &value, size);
    motif_sink_text(in->trace, "}");
  }
  return value;
}

static void note_pick(motif_input *in, size_t value, size_t choices) {
  if (in->trace && trace_entry(in, "pick", 128)) {
    motif_sink_text(in->trace, ",\"value\":");
    motif_sink_number(in->trace, (long long)value);
    motif_sink_text(in->trace, ",\"choices\":");
    motif_sink_number(in->trace, (long long)choices);
    motif_sink_text(in->trace, "}");
  }
}

size_t motif_take_pick(motif_input *in, size_t choices) {
  const size_t value = choices ? (size_t)take_choice(in, MOTIF_PICK, MOTIF_ROLE_PICK, choices - 1) : 0;
  if (in->chosen) in->chosen(__builtin_return_address(0), value);
  note_pick(in, value, choices);
  return value;
}

size_t motif_take_way(motif_input *in, size_t ways) {
  const size_t last = MOTIF_WAY_CHOICES - 1;
  const size_t choice = (size_t)take_choice(in, MOTIF_PICK, MOTIF_ROLE_PICK, last);
  const size_t value = choice == last ? ways - 1 : choice % (ways - 1);
  if (in->chosen) in->chosen(__builtin_return_address(0), value);
  note_pick(in, value, ways);
  return value;
}

long long motif_take_enum(motif_input *in, const long long *values, size_t count) {
  uint16_t choice = 0;
  long long value;
  long long index = -1;
  note_field(in, MOTIF_ENUM, MOTIF_ROLE_ENUM, in->offset, sizeof choice, count);
  take_bytes(in, &choice, sizeof choice);
  if (count == 0 || choice >> 11 == 31) {
    int32_t any = 0;
    note_field(in, MOTIF_INT32, MOTIF_ROLE_VALUE, in->offset, sizeof any, 1);
    take_bytes(in, &any, sizeof any);
    value = any;
  } else {
    index = (long long)(choice % count);
    value = values[index];
  }
  if (in->trace && trace_entry(in, "enum", 128)) {
    motif_sink_text(in->trace, ",\"value\":");
    motif_sink_number(in->trace, value);
    motif_sink_text(in->trace, ",\"index\":");
    if (index < 0) motif_sink_text(in->trace, "null");
    else motif_sink_number(in->trace, index);
    motif_sink_text(in->trace, "}");
  }
  return value;
}

char *motif_take_cstring(motif_input *in, size_t most) {
  const size_t from = in->offset;
  const size_t left = from < in->size ? in->size - from : 0;
  const size_t look = left < most ? left : most;
  const uint8_t *nul = look ? memchr(in->data + from, 0, look) : NULL;
  const size_t length = nul ? (size_t)(nul - (in->data + from)) : look;
  /* A missing NUL at the end of the input is still counted, so that offsets do not depend on the input's size. */
  in->offset = from + length + (length < most ? 1 : 0);
  note_field(in, MOTIF_CHAR, MOTIF_ROLE_CSTRING, from, 1, length);
  char *text = motif_allocate(in, length + 1);
  if (length) memcpy(text, in->data + from, length);
  text[length] = 0;
  note_region(&filled, text, length + 1);
  if (in->trace && trace_entry(in, "cstring", length * 2 + 64)) {
    motif_sink_text(in->trace, ",\"bytes\":");
    sink_hex(in->trace, text, length);
    motif_sink_text(in->trace, "}");
  }
  return text;
}

char *motif_take_pattern(motif_input *in, const char *text) {
  uint8_t bytes[PATTERN_BYTES];
  note_field(in, MOTIF_UINT8, MOTIF_ROLE_ARRAY, in->offset, 1, sizeof bytes);
  take_bytes(in, bytes, sizeof bytes);
  char *made = motif_allocate(in, PATTERN_LONGEST + 1);
  const size_t length = pattern_make(text, bytes, made);
  note_region(&filled, made, length + 1);
  if (in->trace && trace_entry(in, "cstring", length * 2 + 64)) {
    motif_sink_text(in->trace, ",\"bytes\":");
    sink_hex(in->trace, made, length);
    motif_sink_text(in->trace, "}");
  }
  return made;
}

/* ---- the record --------------------------------------------------------------------------------- */

/* The names stand behind the bytes, of which there is one more than `size`. */
static size_t names_at(size_t size) { return (size / sizeof(void *) + 1) * sizeof(void *); }

size_t motif_record_room(size_t size) { return names_at(size) + MOTIF_NAMES_MOST * sizeof(char *); }

void motif_record_keep_in(motif_record *record, void *memory, size_t size) {
  record->bytes = memory;
  record->names = (const char **)(void *)((uint8_t *)memory + names_at(size));
  record->size = size;
}

int motif_record_create(motif_record *record, size_t size) {
  memset(record, 0, sizeof *record);
  void *memory = pages(motif_record_room(size));
  record->path = pages(MOTIF_PATH_MOST);
  if (!memory || !record->path) return -1;
  motif_record_keep_in(record, memory, size);
  return 0;
}

/* The record that is being written. */
static motif_record *current;

void motif_record_reset(motif_record *record) {
  current = record;
  record->aside = 0;
  record->used = 0;
  record->named = 0;
  record->full = 0;
  record->phase = MOTIF_PHASE_SETUP;
  record->depth = 0;
  record->part = MOTIF_OUTPUT;
  record->threw = 0;
  record->exception[0] = 0;
  record->described = 0;
  record->quiet = 0;
  record->allocated = 0;
  record->path_used = 0;
}

static uint8_t *room(motif_record *record, size_t size) {
  if (record->full) return NULL;
  if (size > (record->aside ? record->aside_end : record->size) - record->used) {
    /* The buffer has one byte more than `size`. */
    record->bytes[record->used++] = TAG_FULL;
    record->full = 1;
    return NULL;
  }
  uint8_t *at = record->bytes + record->used;
  record->used += size;
  return at;
}

static void tag(motif_record *record, int value) {
  uint8_t *at = room(record, 1);
  if (at) *at = (uint8_t)value;
}

/* Of what the last tag has opened. */
static void note_name(motif_record *record, const char *text) {
  if (!record->full && record->named < MOTIF_NAMES_MOST) record->names[record->named++] = text;
}

static int describing(const motif_record *record) { return record->describe && !record->quiet && !record->full; }

static void push_path(motif_record *record, const char *before, const char *name, const char *behind) {
  if (record->depth < MOTIF_DEPTH_MOST) record->path_at[record->depth] = record->path_used;
  ++record->depth;
  if (!describing(record)) return;
  const char *const parts[3] = {before, name, behind};
  for (int i = 0; i < 3; ++i) {
    size_t length = strlen(parts[i]);
    if (length > MOTIF_PATH_MOST - 1 - record->path_used) length = MOTIF_PATH_MOST - 1 - record->path_used;
    memcpy(record->path + record->path_used, parts[i], length);
    record->path_used += (uint32_t)length;
  }
}

void motif_open(motif_record *record, const char *name, motif_part part) {
  record->part = part;
  record->threw |= part == MOTIF_EXCEPTION;
  record->depth = 0;
  record->path_used = 0;
  tag(record, TAG_OPEN | (int)part);
  note_name(record, name);
  push_path(record, "", name, "");
}

void motif_open_member(motif_record *record, const char *name) {
  tag(record, TAG_MEMBER);
  note_name(record, name);
  push_path(record, record->path_used ? "." : "", name, "");
}

void motif_open_index(motif_record *record, size_t index) {
  tag(record, record->allocated ? TAG_ALLOCATED : TAG_INDEX);
  char digits[32];
  digits[0] = 0;
  if (describing(record)) snprintf(digits, sizeof digits, "%zu", index);
  push_path(record, "[", digits, "]");
}

void motif_close(motif_record *record) {
  tag(record, TAG_CLOSE);
  if (record->depth == 0) return;
  --record->depth;
  if (record->allocated > record->depth) record->allocated = 0;
  if (record->depth < MOTIF_DEPTH_MOST) record->path_used = record->path_at[record->depth];
}

static int entry(motif_record *record, size_t need) {
  static const char *const part_names[] = {"output", "state", "exception"};
  if (!describing(record)) return 0;
  motif_sink *sink = record->describe;
  if (!sink_room(sink, need + 2 * MOTIF_PATH_MOST)) return 0;
  motif_sink_text(sink, record->described ? ",{\"path\":" : "{\"path\":");
  record->described = 1;
  record->path[record->path_used] = 0;
  motif_sink_json(sink, record->path);
  motif_sink_text(sink, ",\"part\":\"");
  motif_sink_text(sink, part_names[record->part]);
  motif_sink_text(sink, record->allocated ? "\",\"allocated\":true," : "\",");
  return 1;
}

/* All that are no numbers become one. */
static void only_nan(motif_kind kind, uint8_t *value) {
  float single;
  double number;
  if (kind == MOTIF_FLOAT) {
    memcpy(&single, value, sizeof single);
    if (single != single) single = __builtin_nanf("");
    memcpy(value, &single, sizeof single);
  } else {
    memcpy(&number, value, sizeof number);
    if (number != number) number = __builtin_nan("");
    memcpy(value, &number, sizeof number);
  }
}

void motif_value(motif_record *record, motif_kind kind, const void *value, size_t size) {
  /* Long doubles have padding, and NaN payloads are unreliable. */
  uint8_t canonical[16];
  size_t significant = size;
  switch (kind) {
    case MOTIF_FLOAT:
    case MOTIF_DOUBLE:
      if (size == motif_width(kind)) {
        memcpy(canonical, value, size);
        only_nan(kind, canonical);
        value = canonical;
      }
      break;
    case MOTIF_LONG_DOUBLE: {
      long double l;
      if (size == sizeof l && size <= sizeof canonical) {
        memcpy(&l, value, sizeof l);
        if (l != l) l = __builtin_nanl("");
        memset(canonical, 0, sizeof canonical);
#if defined(__x86_64__) || defined(__i386__)
        memcpy(canonical, &l, 10);
#else
        memcpy(canonical, &l, sizeof l);
#endif
        value = canonical;
      }
      break;
    }
    case MOTIF_BOOL:
      canonical[0] = 0;
      for (size_t i = 0; i < size; ++i) canonical[0] |= ((const uint8_t *)value)[i] != 0;
      value = canonical;
      significant = 1;
      break;
    default: break;
  }
  const uint32_t said = (uint32_t)significant;
  const size_t head = significant == motif_width(kind) ? 1 : 1 + sizeof said;
  uint8_t *at = room(record, head + significant);
  if (!at) return;
  at[0] = (uint8_t)(head == 1 ? (int)kind : (int)kind | TAG_SIZED);
  if (head != 1) memcpy(at + 1, &said, sizeof said);
  memcpy(at + head, value, significant);
  if (entry(record, significant * 2 + 256)) {
    motif_sink_text(record->describe, "\"value\":");
    sink_value(record->describe, kind, value, significant);
    motif_sink_text(record->describe, "}");
  }
}

void motif_text(motif_record *record, const char *text, size_t length) {
  if (record->part == MOTIF_EXCEPTION && !record->quiet) {
    const size_t used = strlen(record->exception);
    const int most = (int)(length < sizeof record->exception ? length : sizeof record->exception);
    snprintf(record->exception + used, sizeof record->exception - used, "%s%.*s", used ? ": " : "", most, text);
  }
  uint8_t *at = room(record, 1 + sizeof(uint32_t) + length);
  if (!at) return;
  const uint32_t count = (uint32_t)length;
  at[0] = TAG_TEXT;
  memcpy(at + 1, &count, sizeof count);
  if (length) memcpy(at + 1 + sizeof count, text, length);
  if (entry(record, length * 2 + 64)) {
    motif_sink_text(record->describe, "\"text\":");
    sink_hex(record->describe, text, length);
    motif_sink_text(record->describe, "}");
  }
}

void motif_null(motif_record *record, int is_null) {
  tag(record, is_null ? TAG_NULL : TAG_THERE);
  if (entry(record, 64)) {
    motif_sink_text(record->describe, is_null ? "\"null\":true}" : "\"null\":false}");
  }
}

/* Whether the system can read the memory. A call that fails either way reads eight bytes first; it needs no file, and
 * is allowed in confined processes, unlike one that reads the memory of processes. */
static int is_readable(const char *from, size_t length) {
  const int saved = errno;
  int readable = 1;
  for (uintptr_t at = (uintptr_t)from & ~(uintptr_t)7; readable && at < (uintptr_t)from + length;
       at = (at & ~(uintptr_t)4095) + 4096) {
    readable = syscall(SYS_rt_sigprocmask, ~0, at, NULL, (size_t)8) != -1 || errno != EFAULT;
  }
  errno = saved;
  return readable;
}

/* The bytes may be poisoned: an observation is not a fault. */
__attribute__((no_sanitize_address)) static void look(char *to, const char *from, size_t length) {
  const volatile char *at = from;
  for (size_t i = 0; i < length; ++i) to[i] = at[i];
}

void motif_text_range(motif_record *record, const char *begin, const char *end) {
  enum { MOST = 1 << 16 };
  if (!begin || !end) {
    /* A test checks the first pointer. */
    motif_null(record, !begin);
    return;
  }
  if (end < begin || end - begin > MOST) {
    motif_skip(record, "a range of text that is none");
    return;
  }
  const size_t length = (size_t)(end - begin);
  char *copy = malloc(length + 1);
  /* Uninitialised pointers must not crash the original. */
  if (copy && is_readable(begin, length)) {
    look(copy, begin, length);
    motif_text(record, copy, length);
  } else {
    motif_skip(record, "a range of text that can't be read");
  }
  free(copy);
}

/* As one by one, without a call for each: large structures are mostly arrays. */
static int at_once(motif_record *record, motif_kind kind, const char *values, size_t size, size_t count) {
  const int is_real = kind == MOTIF_FLOAT || kind == MOTIF_DOUBLE;
  const int is_plain = is_real || kind == MOTIF_CHAR || (kind >= MOTIF_INT8 && kind <= MOTIF_UINT64);
  if (!is_plain || size != motif_width(kind) || describing(record) || record->depth >= MOTIF_DEPTH_MOST) return 0;
  const size_t each = size + 3;
  if (record->full || count > ((record->aside ? record->aside_end : record->size) - record->used) / each) return 0;
  uint8_t *at = room(record, count * each);
  if (!at) return 0;
  const uint8_t index = record->allocated ? TAG_ALLOCATED : TAG_INDEX;
  for (size_t i = 0; i < count; ++i, at += each, values += size) {
    at[0] = index;
    at[1] = (uint8_t)kind;
    memcpy(at + 2, values, size);
    if (is_real) only_nan(kind, at + 2);
    at[2 + size] = TAG_CLOSE;
  }
  return 1;
}

void motif_values(motif_record *record, motif_kind kind, const void *values, size_t size, size_t count) {
  if (at_once(record, kind, values, size, count)) return;
  for (size_t i = 0; i < count && !motif_is_full(record); ++i) {
    motif_open_index(record, i);
    motif_value(record, kind, (const char *)values + i * size, size);
    motif_close(record);
  }
}

void motif_behind(motif_record *record, motif_kind kind, const void *values, size_t size, size_t count) {
  enum { MOST = 1 << 16 };
  if (!values) {
    motif_null(record, 1);
    return;
  }
  char *copy = count <= MOST ? malloc(count * size + 1) : NULL;
  /* An uninitialised count must not crash the original. */
  if (!copy || !is_readable(values, count * size)) {
    motif_skip(record, "more than can be read");
  } else {
    look(copy, values, count * size);
    motif_values(record, kind, copy, size, count);
  }
  free(copy);
}

size_t (*motif_block_size)(const void *block);
size_t (*motif_constant_text)(const char *text);
size_t (*motif_constant_size)(const void *at);
int motif_blocks_compared;
void (*motif_output_begins)(void);
size_t (*motif_output)(const char **text);

void motif_pointee(motif_record *record, motif_kind kind, const void *value, size_t size) {
  if (value && motif_constant_size && motif_constant_size(value) >= size) motif_values(record, kind, value, size, 1);
}

void motif_allocated(motif_record *record, motif_kind kind, const void *values, size_t size) {
  /* So many elements tell what the code does with the others. */
  enum { MOST = 1 << 11 };
  size_t bytes = values && motif_block_size ? motif_block_size(values) : 0;
  /* A structure whose first member it is. */
  if (bytes % size) bytes = 0;
  const size_t count = bytes / size;
  const int is_text = kind == MOTIF_CHAR && values && !bytes && motif_constant_text;
  const size_t constant = is_text ? motif_constant_text(values) : 0;
  if (constant) {
    motif_text(record, values, constant - 1);
    return;
  }
  motif_blocks_compared |= bytes != 0;
  motif_null(record, !values);
  if (!bytes && kind != MOTIF_CHAR) motif_pointee(record, kind, values, size);
  const uint32_t outer = record->allocated;
  record->allocated = record->depth;
  motif_values(record, kind, values, size, count < MOST ? count : MOST);
  if (count > MOST) {
    motif_open_index(record, MOST);
    motif_skip(record, "no element of a block from here on is compared");
    motif_close(record);
  }
  record->allocated = outer;
}

size_t motif_trailing(motif_record *record, const void *object, const void *first, size_t size) {
  enum { MOST = 1 << 11 };
  const size_t before = (size_t)((const char *)first - (const char *)object);
  const size_t block = motif_block_size ? motif_block_size(object) : 0;
  motif_blocks_compared |= block != 0;
  size_t whole = block;
  for (size_t i = 0; i < noted(&with_room); ++i) {
    if (with_room.last[i].begin == object) whole = with_room.last[i].size;
  }
  const size_t count = size && whole > before ? (whole - before) / size : 0;
  if (!record->allocated) record->allocated = record->depth;
  return count < MOST ? count : MOST;
}

/* Whether both are in memory that the input has filled, or in the block that one of them begins. */
static int in_one_block(const char *at, const char *from) {
  for (size_t i = 0; i < noted(&filled); ++i) {
    const char *const begin = filled.last[i].begin;
    const size_t size = filled.last[i].size;
    /* One of them may be behind the last element; both may be beside another block. */
    const int is_behind = at == begin + size && from == begin + size;
    if (!is_behind && is_within(at, begin, size) && is_within(from, begin, size)) return 1;
  }
  const char *const lower = (uintptr_t)at < (uintptr_t)from ? at : from, *const upper = lower == at ? from : at;
  const size_t size = motif_block_size ? motif_block_size(lower) : 0;
  return size && is_within(upper, lower, size);
}

void motif_distance(motif_record *record, const char *name, const void *at, const void *from, size_t size) {
  if (!at || !from || !in_one_block(at, from)) return;
  const ptrdiff_t bytes = (const char *)at - (const char *)from;
  const int64_t elements = bytes / (ptrdiff_t)size;
  motif_open_member(record, name);
  motif_value(record, MOTIF_INT64, &elements, sizeof elements);
  motif_close(record);
}

void motif_place(motif_record *record, const char *name, const void *at, const void *from, size_t size) {
  const char *const place = at;
  int is_in = 0, is_next = 0;
  for (size_t i = 0; at && i < noted(&filled); ++i) {
    const char *const begin = filled.last[i].begin;
    is_in |= begin == from && is_within(place, begin, filled.last[i].size);
    /* The end of one array may be the beginning of another. */
    is_next |= begin == place && begin != from;
  }
  if (!is_in || is_next) return;
  const int64_t elements = (place - (const char *)from) / (ptrdiff_t)size;
  motif_open(record, name, MOTIF_OUTPUT);
  motif_value(record, MOTIF_INT64, &elements, sizeof elements);
  motif_close(record);
}

int motif_may_be_address(const void *value, size_t size) {
  const char *const end = (const char *)value + size;
  const char *at = (const char *)((uintptr_t)value & ~(uintptr_t)7);
  for (; at < end; at += 8) {
    uint64_t word;
    __builtin_memcpy(&word, at, sizeof word);
    /* Where programs, libraries, stacks and mapped memory are, with x86-64 and with AArch64. */
    const uint64_t region = word >> 40;
    if ((region >= 0x50 && region <= 0x7f) || region == 0xaa || region == 0xff) return 1;
  }
  return 0;
}

void motif_skip(motif_record *record, const char *why) {
  tag(record, TAG_SKIP);
  if (entry(record, 4096)) {
    motif_sink_text(record->describe, "\"skip\":");
    motif_sink_json(record->describe, why);
    motif_sink_text(record->describe, "}");
  }
}

void motif_unreadable(motif_record *record) {
  record->quiet = 0;
  record->aside = 0;
  tag(record, TAG_UNREADABLE);
  if (entry(record, 64)) motif_sink_text(record->describe, "\"unreadable\":true}");
}

/* The unit's uninitialised variables hold the stale memory below the stack pointer. */
__attribute__((noinline)) static void fill_stack(int byte) {
  char below[1 << 16];
  memset(below, byte, sizeof below);
  __asm__ volatile("" : : "r"(below) : "memory");
}

void motif_enter(motif_record *record) {
  if (record->stack_fill) fill_stack(record->stack_fill & 255);
  record->phase = MOTIF_PHASE_CALL;
}

void motif_prints(motif_record *record) {
  (void)record;
  if (motif_output_begins) motif_output_begins();
}

void motif_printed(motif_record *record) {
  const char *text = "";
  const size_t length = motif_output ? motif_output(&text) : 0;
  motif_open(record, "stdout", MOTIF_OUTPUT);
  motif_text(record, text, length);
  motif_close(record);
}
void motif_leave(motif_record *record) { record->phase = MOTIF_PHASE_OBSERVE; }

int motif_fails(size_t *call) {
  if (*call == 0 || !current || current->phase != MOTIF_PHASE_CALL) return 0;
  return --*call == 0;
}

motif_scratch motif_scratch_begin(motif_record *record) {
  const motif_scratch scratch = {record->used, record->named, record->quiet};
  record->quiet = 1;
  return scratch;
}

const void *motif_scratch_bytes(const motif_record *record, motif_scratch scratch, size_t *length) {
  *length = record->used - scratch.used;
  return record->bytes + scratch.used;
}

void motif_scratch_end(motif_record *record, motif_scratch scratch) {
  /* A record that overflowed within the scratch has room again. */
  if (record->full && scratch.used <= record->size) record->full = 0;
  record->used = scratch.used;
  record->named = scratch.named;
  record->quiet = scratch.saved;
}

int motif_is_full(const motif_record *record) { return record->full; }

motif_record *motif_aside_begin(size_t most) {
  motif_record *record = current;
  /* Most of the room is for results. */
  if (!record || record->aside || record->full || record->used > record->size / 4) return NULL;
  record->aside = 1;
  record->aside_end = record->used + (most < record->size / 4 ? most : record->size / 4);
  /* A fault here is not the unit's. */
  record->aside_phase = record->phase;
  record->phase = MOTIF_PHASE_OBSERVE;
  return record;
}

void motif_aside_end(motif_record *record) {
  record->aside = 0;
  record->full = 0;
  record->phase = record->aside_phase;
}

/* A sanitizer's knowledge of memory, if there is one. */
__attribute__((weak)) void *__asan_region_is_poisoned(void *from, size_t size);

int motif_may_read(const motif_record *record, const void *object, size_t size) {
  if (!record->aside) return 1;
  if ((uintptr_t)object + size < (uintptr_t)object) return 0;
  if (__asan_region_is_poisoned && __asan_region_is_poisoned((void *)(uintptr_t)object, size)) return 0;
  return is_readable(object, size);
}

int motif_is_readable(const void *object, size_t size) {
  if (!object || (uintptr_t)object + size < (uintptr_t)object) return 0;
  if (__asan_region_is_poisoned && __asan_region_is_poisoned((void *)(uintptr_t)object, size)) return 0;
  return is_readable(object, size);
}

void motif_alive_text(motif_record *record, const char *text) {
  enum { MOST = 4096 };
  char copy[MOST];
  motif_null(record, !text);
  if (!text) return;
  const size_t block = motif_block_size ? motif_block_size(text) : 0;
  motif_blocks_compared |= block != 0;
  const size_t constant = !block && motif_constant_text ? motif_constant_text(text) : 0;
  const size_t most = block < MOST ? block : MOST;
  look(copy, text, most);
  if (constant) {
    motif_text(record, text, constant - 1);
  } else if (most && memchr(copy, 0, most)) {
    motif_text(record, copy, strlen(copy));
  } else {
    motif_skip(record, "no text that ends");
  }
}

int motif_same(const motif_record *one, const motif_record *other) {
  return one->used == other->used && memcmp(one->bytes, other->bytes, one->used) == 0;
}

/* ---- names -------------------------------------------------------------------------------------- */

#define NAMES_MOST 256u
#define NAME_MOST 256u

static const void *name_keys[NAMES_MOST];
static char names[NAMES_MOST][NAME_MOST];
static uint32_t name_count;

const char *motif_known_name(const void *key) {
  for (uint32_t i = 0; i < name_count; ++i) {
    if (name_keys[i] == key) return names[i];
  }
  return NULL;
}

static int in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

const char *motif_keep_name(const void *key, const char *name) {
  /* The last entry is shared by all further names. */
  const uint32_t at = name_count < NAMES_MOST - 1 ? name_count++ : NAMES_MOST - 1;
  char *to = names[at];
  /* `void drive<mut_Box>(…)::Local` and its original counterpart are one class to a reader, who also sees that it
   * cannot be named elsewhere. */
  static const char kUnnamed[] = "(anonymous namespace", kLocal[] = "(function)::";
  const size_t unnamed = sizeof kUnnamed - 1;
  const char *from = name;
  for (const char *end = strstr(name, ")::"); end; end = strstr(end + 3, ")::")) {
    const size_t before = (size_t)(end - name);
    if (before < unnamed || strncmp(end - unnamed, kUnnamed, unnamed) != 0) from = end + 3;
  }
  if (from != name) {
    memcpy(to, kLocal, sizeof kLocal - 1);
    to += sizeof kLocal - 1;
  }
  const char *const first = from;
  while (*from && to < names[at] + NAME_MOST - 1) {
    if ((from == first || !in_word(from[-1])) && strncmp(from, "mut_", 4) == 0) {
      from += 4;
      continue;
    }
    *to++ = *from++;
  }
  *to = 0;
  name_keys[at] = key;
  return names[at];
}
