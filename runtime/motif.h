/* What generated drivers are written against: the fuzzer's bytes as typed values, and the record of
 * everything that a caller could see after the call. Plain C; motif.hpp puts the C++ on top. */
#ifndef MOTIF_H
#define MOTIF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a value is: for the mutator, the trace and the comparison. */
typedef enum motif_kind {
  MOTIF_BOOL, MOTIF_INT8, MOTIF_UINT8, MOTIF_INT16, MOTIF_UINT16, MOTIF_INT32, MOTIF_UINT32,
  MOTIF_INT64, MOTIF_UINT64, MOTIF_INT128, MOTIF_UINT128, MOTIF_FLOAT, MOTIF_DOUBLE, MOTIF_LONG_DOUBLE,
  MOTIF_CHAR,   /* a char of text */
  MOTIF_BYTES,  /* raw storage: unions, void pointers */
  MOTIF_ENUM,   /* taken: the index of an enumerator; recorded: its value */
  MOTIF_SIZE,   /* how many elements follow */
  MOTIF_PICK    /* which of several alternatives follows */
} motif_kind;

/* ---- the input ---------------------------------------------------------------------------------- */

typedef struct motif_input motif_input;

/* Values follow each other without padding, in the machine's byte order. What an input lacks is zero. Every
 * call of this section but motif_allocate leaves one entry in the trace, also where it takes no bytes. */

/* Copies the next `size` bytes to `to`; what is missing is zero. Normalises bool to 0 or 1. */
void motif_take(motif_input *in, motif_kind kind, void *to, size_t size);
/* `count` values of `size` bytes each in a row. */
void motif_take_array(motif_input *in, motif_kind kind, void *to, size_t size, size_t count);
/* How many elements follow: `least` to `most`, both included. Takes as many bytes (0, 1, 2, 4, 8) as the number
 * of choices needs; the value is `least` plus what they hold modulo the number of choices. */
size_t motif_take_size(motif_input *in, size_t least, size_t most);
/* How many of `most` elements are to be used, where only a name says that it is a length: read like a size with one more
 * choice in eight; where that is taken, any value of `size` bytes follows. The trace has it as a value. */
long long motif_take_length(motif_input *in, size_t most, motif_kind kind, size_t size);
/* Which alternative follows: 0 to `choices` - 1, read like a size. Takes nothing where there is no choice. */
size_t motif_take_pick(motif_input *in, size_t choices);
/* An enumerator out of `count` values, by two bytes read as an index modulo `count`; where the top five bits of
 * the two bytes are set (1 in 32), the next four bytes are the value instead. */
long long motif_take_enum(motif_input *in, const long long *values, size_t count);
/* A NUL-terminated string of at most `most` characters, alive until the input is gone. A NUL ends it and is taken
 * as well; after `most` characters no NUL is taken. */
char *motif_take_cstring(motif_input *in, size_t most);
/* Text that the regular expression describes, by 32 bytes; NUL-terminated, alive until the input is gone. */
char *motif_take_pattern(motif_input *in, const char *regular_expression);
/* A file over memory that holds `text`, to be read from its beginning and written to. It is closed with the input,
 * where the unit does not close it. */
FILE *motif_file(motif_input *in, const char *text);
/* What such a file holds by now; alive until the input is gone. */
const char *motif_file_text(motif_input *in, const FILE *file);
/* `size` zeroed bytes, aligned for any type, alive until the input is gone. */
void *motif_allocate(motif_input *in, size_t size);

/* ---- the record --------------------------------------------------------------------------------- */

typedef struct motif_record motif_record;

/* What a value in the record is part of; decides how a kill is called. */
typedef enum motif_part { MOTIF_OUTPUT, MOTIF_STATE, MOTIF_EXCEPTION } motif_part;

/* Names are string literals and build a path: return, mission.duration_, list[3]. */
void motif_open(motif_record *record, const char *name, motif_part part);
void motif_close(motif_record *record);
void motif_open_member(motif_record *record, const char *name);
void motif_open_index(motif_record *record, size_t index);
/* One value of the path that is open. Any NaN is recorded as the same NaN. */
void motif_value(motif_record *record, motif_kind kind, const void *value, size_t size);
/* Text or storage of a length that is not fixed. */
void motif_text(motif_record *record, const char *text, size_t length);
/* NULL or not; the pointee follows where there is one. */
void motif_null(motif_record *record, int is_null);
/* Text between two pointers; where one of them is NULL, whether the first is. What can't be read is left out. */
void motif_text_range(motif_record *record, const char *begin, const char *end);
/* So many values behind a pointer, each at its index; whether the pointer is NULL, where it is. What can't be read is left out. */
void motif_behind(motif_record *record, motif_kind kind, const void *values, size_t size, size_t count);
/* Says that the value at the open path is left out of the comparison, and why. */
void motif_skip(motif_record *record, const char *why);
/* Around the call of the unit under test itself. Leaving twice is leaving once. */
void motif_enter(motif_record *record);
void motif_leave(motif_record *record);
/* Records values only to look at their bytes (to sort what has no order): what is recorded between begin and end
 * is taken back by end. `bytes` is what was recorded since begin, alive until the next value. */
typedef struct motif_scratch { size_t used; int saved; } motif_scratch;
motif_scratch motif_scratch_begin(motif_record *record);
const void *motif_scratch_bytes(const motif_record *record, motif_scratch scratch, size_t *length);
void motif_scratch_end(motif_record *record, motif_scratch scratch);
/* The record is full: nothing more is kept, so that looking any further is in vain. */
int motif_is_full(const motif_record *record);
/* Around what is seen in passing while the unit runs, such as what a stub is called with: `most` bytes are kept of it. NULL
 * where the record has no room to spare, and where something is being looked at that way already. */
motif_record *motif_aside_begin(size_t most);
void motif_aside_end(motif_record *record);
/* Whether an object can be read that a pointer leads to. Asked in passing only: pointers that nobody has set yet are no
 * results, and must not end the run. */
int motif_may_read(const motif_record *record, const void *object, size_t size);
/* A readable name for whatever `key` stands for (a type), with every `mut_` at the start of a word taken out, and
 * `(function)` in the place of that around a local class; known: NULL before it was kept. */
const char *motif_known_name(const void *key);
const char *motif_keep_name(const void *key, const char *name);
/* Whether two records say the same. */
int motif_same(const motif_record *one, const motif_record *other);

/* ---- the unit ----------------------------------------------------------------------------------- */

#define MOTIF_ABI 1u

/* Seen from outside also where the project compiles with -fvisibility=hidden. */
#define MOTIF_VISIBLE __attribute__((visibility("default")))

typedef struct motif_unit {
  uint32_t abi;
  const char *id;                                    /* the unit's id, for messages */
  uint32_t mutants;                                  /* mutants that the copy dispatches on, numbered from 1 */
  void (*original)(motif_input *, motif_record *);   /* drives the original */
  void (*copy)(motif_input *, motif_record *);       /* drives the mut_ copy; NULL where images hold the mutants */
} motif_unit;

/* Every generated driver defines this; nothing else of it is visible from outside. */
MOTIF_VISIBLE extern const motif_unit motif_the_unit;

/* The mutant that the mut_ copy shall behave as; 0: none, like the original. Defined by the generated
 * driver, set from outside through motif_set_mutant. */
MOTIF_VISIBLE extern int motif_mutant;
MOTIF_VISIBLE void motif_set_mutant(int mutant);

#ifdef __cplusplus
}
#endif
#endif
