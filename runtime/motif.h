/* The interface of generated drivers: the fuzzer's bytes as typed values, and the record of everything that a caller
 * can see after the call. Plain C; motif.hpp adds the C++ part. */
#ifndef MOTIF_H
#define MOTIF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kind of a value, for the mutator, the trace and the comparison. */
typedef enum motif_kind {
  MOTIF_BOOL, MOTIF_INT8, MOTIF_UINT8, MOTIF_INT16, MOTIF_UINT16, MOTIF_INT32, MOTIF_UINT32,
  MOTIF_INT64, MOTIF_UINT64, MOTIF_INT128, MOTIF_UINT128, MOTIF_FLOAT, MOTIF_DOUBLE, MOTIF_LONG_DOUBLE,
  MOTIF_CHAR,   /* a char of text */
  MOTIF_BYTES,  /* raw storage: unions, void pointers */
  MOTIF_ENUM,   /* taken: the index of an enumerator; recorded: its value */
  MOTIF_SIZE,   /* the number of elements that follow */
  MOTIF_PICK    /* the index of one of several alternatives */
} motif_kind;

/* ---- the input ---------------------------------------------------------------------------------- */

typedef struct motif_input motif_input;

/* Values follow each other without padding, in the machine's byte order. Missing bytes are zero. Every call of this
 * section except motif_allocate leaves one entry in the trace, even if it takes no bytes. */

/* Copies the next `size` bytes to `to`; missing bytes are zero. Normalises bool to 0 or 1. */
void motif_take(motif_input *in, motif_kind kind, void *to, size_t size);
/* `count` values of `size` bytes each in a row. */
void motif_take_array(motif_input *in, motif_kind kind, void *to, size_t size, size_t count);
/* The number of elements that follow: `least` to `most`, inclusive. Takes as many bytes (0, 1, 2, 4, 8) as the number
 * of choices needs; the value is `least` plus their value modulo the number of choices. */
size_t motif_take_size(motif_input *in, size_t least, size_t most);
/* How many calls set an object up: mostly up to `usual`, now and then up to MOTIF_FURTHER_CALLS more, which a limit may
 * take. Read like a size with four times the choices; a choice that is no number of calls is one of the usual ones. */
size_t motif_take_calls(motif_input *in, size_t usual);
enum { MOTIF_FURTHER_CALLS = 5 };
/* The same from none, with one less than none as the last choice: what counts with signs may be asked that. */
long long motif_take_size_or_less(motif_input *in, size_t most);
/* How many of `most` elements are to be used, where only a name says that it is a length: read like a size with one more
 * choice in eight; where that is taken, any value of `size` bytes follows. The trace has it as a value. */
long long motif_take_length(motif_input *in, size_t most, motif_kind kind, size_t size);
/* The index of an alternative: 0 to `choices` - 1, read like a size. Takes no bytes if there is no choice. */
size_t motif_take_pick(motif_input *in, size_t choices);
/* The index of one of several ways into a unit, at least two: the last one, which enters it past its callers, only once
 * in MOTIF_WAY_CHOICES, since a test through a caller is worth more. */
size_t motif_take_way(motif_input *in, size_t ways);
#define MOTIF_WAY_CHOICES 8
/* An enumerator out of `count` values, by two bytes read as an index modulo `count`. If the top five bits of the two
 * bytes are set (1 in 32), the next four bytes are the value instead. */
long long motif_take_enum(motif_input *in, const long long *values, size_t count);
/* A NUL-terminated string of at most `most` characters, valid as long as the input. A NUL ends it and is consumed;
 * after `most` characters no NUL is consumed. */
char *motif_take_cstring(motif_input *in, size_t most);
/* Text that matches the regular expression, by 32 bytes; NUL-terminated, valid as long as the input. */
char *motif_take_pattern(motif_input *in, const char *regular_expression);
/* A file in memory with up to `most` bytes, open for reading from its beginning and for writing. It is closed with the
 * input unless the unit closes it. */
FILE *motif_take_stream(motif_input *in, size_t most);
/* The name of a file for the unit to read or write: two times in four `name`, of a file with up to `most` bytes; once
 * `name`, and there is none; once any text of at most `most` characters. */
const char *motif_take_file(motif_input *in, const char *name, size_t most);
/* `size` zeroed bytes, aligned for any type, valid as long as the input. */
void *motif_allocate(motif_input *in, size_t size);
/* The same for an object with a flexible array member: `size` is with its elements. */
void *motif_allocate_with_room(motif_input *in, size_t size);

/* ---- the record --------------------------------------------------------------------------------- */

typedef struct motif_record motif_record;

/* The part of the record that a value belongs to; it decides the kind of a kill. */
typedef enum motif_part { MOTIF_OUTPUT, MOTIF_STATE, MOTIF_EXCEPTION } motif_part;

/* Names are string literals and build a path: return, mission.duration_, list[3]. */
void motif_open(motif_record *record, const char *name, motif_part part);
void motif_close(motif_record *record);
void motif_open_member(motif_record *record, const char *name);
void motif_open_index(motif_record *record, size_t index);
/* One value at the open path. All NaNs are recorded as the same NaN. */
void motif_value(motif_record *record, motif_kind kind, const void *value, size_t size);
/* Text or storage of variable length. */
void motif_text(motif_record *record, const char *text, size_t length);
/* The content of a file in memory as `name`, and unless it is closed the place where it stands as `position`. */
void motif_record_stream(motif_input *in, motif_record *record, FILE *stream, const char *name, const char *position);
/* NULL or not; the pointee follows if there is one. */
void motif_null(motif_record *record, int is_null);
/* Text between two pointers; if one of them is NULL, only whether the first is. Unreadable memory is left out. */
void motif_text_range(motif_record *record, const char *begin, const char *end);
/* `count` values of an array, each at its index. */
void motif_values(motif_record *record, motif_kind kind, const void *values, size_t size, size_t count);
/* `count` values behind a pointer, each at its index; or that the pointer is NULL. Unreadable memory is left out. */
void motif_behind(motif_record *record, motif_kind kind, const void *values, size_t size, size_t count);
/* The number that a pointer is to, where it points into a constant table of the code: elsewhere nobody knows whether
 * there is one. */
void motif_pointee(motif_record *record, motif_kind kind, const void *value, size_t size);
/* The memory behind a pointer of which nothing but its allocation says how much there is: whether the pointer is null,
 * and the elements of a block that the unit has allocated. They count as far as both sides have them. */
void motif_allocated(motif_record *record, motif_kind kind, const void *values, size_t size);
/* How many elements a flexible array member has, by the room that the driver or the unit made for its object. For the
 * member that is open: its elements count as far as both sides have them. */
size_t motif_trailing(motif_record *record, const void *object, const void *first, size_t size);
/* From here on, what the unit writes to standard output is kept; and what it has written since, as `stdout`. */
void motif_prints(motif_record *record);
void motif_printed(motif_record *record);
/* The member `name`: how many elements are from one pointer to another, where both stand in one block that the unit or
 * the driver has made. Nothing else of an address is ever recorded. */
void motif_distance(motif_record *record, const char *name, const void *at, const void *from, size_t size);
/* The same of an output: where in an array that the input has filled a pointer stands, if it stands in it. */
void motif_place(motif_record *record, const char *name, const void *at, const void *from, size_t size);
/* Whether a value of a union is part of what may be an address, by the words that it stands in. */
int motif_may_be_address(const void *value, size_t size);
/* Why such a value is left out. */
#define MOTIF_MAY_BE_ADDRESS "an address may stand there"
/* Records that the value at the open path is not compared, and why. */
void motif_skip(motif_record *record, const char *why);
/* Around the call of the unit under test. Leaving twice has no further effect. */
void motif_enter(motif_record *record);
void motif_leave(motif_record *record);
/* Whether this call of a function is the one that fails: `*call` says how many are left until then, 0 that none is to
 * fail, and only calls during the unit's count. */
int motif_fails(size_t *call);
/* Records values only to look at their bytes (to sort what has no order): what is recorded between begin and end
 * is taken back by end. `bytes` is what was recorded since begin, alive until the next value. */
typedef struct motif_scratch { size_t used; uint32_t named; int saved; } motif_scratch;
motif_scratch motif_scratch_begin(motif_record *record);
const void *motif_scratch_bytes(const motif_record *record, motif_scratch scratch, size_t *length);
void motif_scratch_end(motif_record *record, motif_scratch scratch);
/* The record is full: further values are dropped. */
int motif_is_full(const motif_record *record);
/* Around observations while the unit runs, such as the arguments of a stub: at most `most` bytes are kept. NULL if the
 * record has no room, and during another such observation. */
motif_record *motif_aside_begin(size_t most);
void motif_aside_end(motif_record *record);
/* Whether the object behind a pointer is readable. Checked only during the unit's run: uninitialised pointers are no
 * results, and must not end the run. */
int motif_may_read(const motif_record *record, const void *object, size_t size);
/* Whether memory is readable, whenever it is asked. */
int motif_is_readable(const void *object, size_t size);
/* A text behind a pointer that may be none: of a block, or constant. */
void motif_alive_text(motif_record *record, const char *text);
/* A readable name for the type that `key` stands for, without `mut_` at the start of a word, and with `(function)` for
 * the enclosing function of a local class; known: NULL before it was kept. */
const char *motif_known_name(const void *key);
const char *motif_keep_name(const void *key, const char *name);
/* Whether two records are equal. */
int motif_same(const motif_record *one, const motif_record *other);
/* How many values differ between two records, those left out whose paths (`return`, `mission.duration_`), or the beginnings of
 * them, are among the `count` of `but_for`. */
int motif_differences(const motif_record *one, const motif_record *other, const char *const *but_for, size_t count);
/* How much a test says that checks for a difference: only that something is no finite number, of which sign a zero is, or
 * that a text is empty; of an object's state; what a caller gets. */
typedef enum motif_telling { MOTIF_TELLS_NOTHING, MOTIF_TELLS_LITTLE, MOTIF_TELLS_STATE, MOTIF_TELLS_CALLER } motif_telling;
/* The most that a difference between the records of the original and of a mutant says. */
motif_telling motif_most_telling(const motif_record *original, const motif_record *mutant);

/* ---- the unit ----------------------------------------------------------------------------------- */

#define MOTIF_ABI 2u

/* Exported even if the project compiles with -fvisibility=hidden. */
#define MOTIF_VISIBLE __attribute__((visibility("default")))

typedef struct motif_unit {
  uint32_t abi;
  const char *id;                                    /* the unit's id, for messages */
  uint32_t mutants;                                  /* mutants in the copy, numbered from 1 */
  void (*original)(motif_input *, motif_record *);   /* drives the original */
  void (*copy)(motif_input *, motif_record *);       /* drives the mut_ copy; NULL where images hold the mutants */
  /* How many values differ between what the original and what a mutant left; asked where any byte does. 0: it lives. */
  int (*compare)(motif_record *original, motif_record *mutant);
} motif_unit;

/* Defined by every generated driver, which exports nothing else. */
MOTIF_VISIBLE extern const motif_unit motif_the_unit;

/* The active mutant of the mut_ copy; 0: none, like the original. Defined by the generated driver, set through
 * motif_set_mutant. */
MOTIF_VISIBLE extern int motif_mutant;
MOTIF_VISIBLE void motif_set_mutant(int mutant);

#ifdef __cplusplus
}
#endif
#endif
