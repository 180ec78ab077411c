/* The parts of inputs and records that only the runtime's own programs (the worker, the AFL++ main) know. */
#ifndef MOTIF_INTERNAL_H
#define MOTIF_INTERNAL_H

#include "motif.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Growing text in its own memory: it can be written after the unit has damaged the heap. */
typedef struct motif_sink {
  char *text;
  size_t used;
  size_t size;
} motif_sink;

int motif_sink_create(motif_sink *sink, size_t size);
void motif_sink_raw(motif_sink *sink, const char *text, size_t length);
void motif_sink_text(motif_sink *sink, const char *text);
/* As a JSON string, quotes included. */
void motif_sink_json(motif_sink *sink, const char *text);
void motif_sink_number(motif_sink *sink, long long number);

/* The place of a value in the input; `count` values of `width` bytes. Of a choice (a size, an alternative, an
 * enumerator) there is one, and `count` says among how many. */
typedef struct motif_field {
  uint32_t offset;
  uint32_t count;
  uint16_t width;
  uint8_t kind;
  uint8_t role;
} motif_field;

enum { MOTIF_ROLE_VALUE, MOTIF_ROLE_ARRAY, MOTIF_ROLE_SIZE, MOTIF_ROLE_PICK, MOTIF_ROLE_ENUM, MOTIF_ROLE_CSTRING };

#define MOTIF_FIELDS_MOST 256u

/* The bytes that a field takes. */
static inline size_t motif_extent(const motif_field *field) {
  const int chosen = field->role == MOTIF_ROLE_SIZE || field->role == MOTIF_ROLE_PICK || field->role == MOTIF_ROLE_ENUM;
  return chosen ? field->width : (size_t)field->width * field->count;
}

struct motif_block;
struct motif_memory_file;
struct motif_named_file;

struct motif_input {
  const uint8_t *data;
  size_t size;
  size_t offset;               /* of the next value; may exceed `size` */
  motif_field *fields;         /* room for MOTIF_FIELDS_MOST; may be NULL */
  uint32_t field_count;
  uint8_t fill;                /* fills the gaps between allocations */
  struct motif_block *blocks;  /* allocations that did not fit the arena */
  struct motif_memory_file *files;
  struct motif_named_file *named;
  uint8_t *arena;
  size_t arena_used;
  size_t arena_size;
  motif_sink *trace;           /* NULL: not described */
  /* Called for every alternative that is taken, with its place; may be NULL. */
  void (*chosen)(const void *place, size_t value);
  int traced;                  /* the trace has an entry already */
};

/* How many bytes a block has that was allocated by a unit and begins there; 0 where none does, and where the function
 * is NULL. */
extern size_t (*motif_block_size)(const void *block);
/* How many bytes a text has, with its zero, that begins in memory which nobody can write to: a literal, as a rule. 0 for
 * any other, and where the function is NULL. */
extern size_t (*motif_constant_text)(const char *text);
/* How many bytes a constant variable with a name has from there on; 0 where none is. */
extern size_t (*motif_constant_size)(const void *at);
/* Standard output is kept from now on, and how much has been written since, with the text. Both may be NULL. */
extern void (*motif_output_begins)(void);
extern size_t (*motif_output)(const char **text);
/* A block was recorded: what nobody has written to is to be alike from then on. */
extern int motif_blocks_compared;

int motif_input_create(motif_input *in);
/* Starts over with other bytes; allocations are gone. */
void motif_input_reset(motif_input *in, const uint8_t *data, size_t size);
/* What is in the files that the unit was given the names of becomes part of the record; they are removed. */
void motif_record_files(motif_input *in, motif_record *record);
/* After a run that a fault has ended, which may have written behind all allocations. */
void motif_input_wipe(motif_input *in);

/* What stands in a record's bytes, but for values: those begin with their kind, and where their size is not the kind's own, with
 * the two of TAG_SIZED and the size. Names stand apart: the same places record under the same names. */
enum { TAG_SIZED = 0x20, TAG_OPEN = 0x40, TAG_CLOSE = 0x50, TAG_MEMBER = 0x51, TAG_INDEX = 0x52, TAG_TEXT = 0x53,
       TAG_NULL = 0x54, TAG_THERE = 0x55, TAG_SKIP = 0x56, TAG_UNREADABLE = 0x57, TAG_FULL = 0x58,
       /* An element of a block: it counts where the other side's block has one too. */
       TAG_ALLOCATED = 0x59 };

/* How many bytes a recorded value of that kind has; 0 where each says it. */
static inline size_t motif_width(motif_kind kind) {
  static const uint8_t widths[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 4, 8, sizeof(long double), 1, 0, 4, 8, 8};
  return widths[kind];
}

#define MOTIF_DEPTH_MOST 64u
#define MOTIF_NAMES_MOST 0x10000u
#define MOTIF_PATH_MOST 4096u

enum { MOTIF_PHASE_SETUP, MOTIF_PHASE_CALL, MOTIF_PHASE_OBSERVE };

struct motif_record {
  uint8_t *bytes;
  size_t used;
  size_t size;
  const char **names;          /* of what is opened, in order: MOTIF_NAMES_MOST at most */
  uint32_t named;
  int full;
  volatile int phase;
  uint32_t depth;
  motif_part part;
  motif_sink *describe;        /* NULL: not described */
  int described;               /* the description has an entry already */
  int quiet;                   /* in a scratch: not described */
  uint32_t allocated;          /* how many are open of what leads to an element of a block; 0 outside of any */
  int aside;                   /* recorded while the unit runs */
  size_t aside_end;            /* the limit of such records */
  int aside_phase;             /* the phase that it interrupts */
  int threw;                   /* an exception is recorded */
  char exception[160];         /* its type and text */
  int stack_fill;              /* 256 + the fill byte of stale stack during the call; 0: no fill */
  char *path;
  uint32_t path_used;
  uint32_t path_at[MOTIF_DEPTH_MOST];
};

int motif_record_create(motif_record *record, size_t size);
/* The memory that a record of this size is kept in, names included; and has it kept there, in zeroed pages. */
size_t motif_record_room(size_t size);
void motif_record_keep_in(motif_record *record, void *memory, size_t size);
void motif_record_reset(motif_record *record);
/* The observation was ended by a fault. */
void motif_unreadable(motif_record *record);

#ifdef __cplusplus
}
#endif
#endif
