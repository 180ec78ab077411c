/* What a generated driver calls, as a bounded model checker is to read it: the input is bytes of any value, and the
 * record of a second side is compared with that of the first. It stands in for motif.c, behind the driver's own text,
 * and includes nothing.
 *
 * What is not here (files, patterns) has no body, which the checker tells, and then nothing is believed. */
#ifndef MOTIF_SOLVER_H
#define MOTIF_SOLVER_H

#ifdef __cplusplus
extern "C" {
#endif

/* The checker's own: any value, and conditions. */
unsigned char nondet_uchar(void);
#ifndef __cplusplus
void __ESBMC_assert(_Bool, const char *);
_Bool __ESBMC_same_object(const void *, const void *);
__PTRDIFF_TYPE__ __ESBMC_POINTER_OFFSET(const void *);
#endif

struct motif_input { size_t offset; };
struct motif_record { size_t used; int is_second; int is_aside; };

static unsigned char motif_byte[MOTIF_INPUT_BYTES];

/* The cells of the first side, and whether those of the second are the same so far. */
static unsigned long long motif_cells[MOTIF_CELLS];
static unsigned char motif_tags[MOTIF_CELLS];
static int motif_equal = 1;

/* ---- the input ---------------------------------------------------------------------------------- */

/* More is read than there are bytes: what is missing is 0, as in a short input of the search. Or more calls are asked
 * for than the solver makes. */
static int motif_is_short;

static unsigned char motif_next(motif_input *in) {
  const size_t at = in->offset++;
  if (at < MOTIF_INPUT_BYTES) return motif_byte[at];
  motif_is_short = 1;
  return 0;
}

unsigned long long motif_number(motif_input *in, size_t size) {
  unsigned long long value = 0;
  for (size_t i = 0; i < size; ++i) value |= (unsigned long long)motif_next(in) << (8 * i);
  return value;
}

void motif_take(motif_input *in, motif_kind kind, void *to, size_t size) {
  unsigned char *at = (unsigned char *)to;
  for (size_t i = 0; i < size; ++i) at[i] = motif_next(in);
  if (kind == MOTIF_BOOL) at[0] &= 1;
}

void motif_take_array(motif_input *in, motif_kind kind, void *to, size_t size, size_t count) {
  unsigned char *at = (unsigned char *)to;
  for (size_t i = 0; i < size * count; ++i) {
    at[i] = motif_next(in);
    if (kind == MOTIF_BOOL) at[i] &= 1;
  }
}

static unsigned long long motif_choice(motif_input *in, unsigned long long most) {
  if (most == 0) return 0;
  return motif_number(in, most <= 0xFF ? 1 : most <= 0xFFFF ? 2 : most <= 0xFFFFFFFFu ? 4 : 8) % (most + 1);
}

size_t motif_take_size(motif_input *in, size_t least, size_t most) {
  return least + (size_t)motif_choice(in, most > least ? most - least : 0);
}

/* Each further call is a copy of the loop: inputs with more than the usual ones are left to the search. */
size_t motif_take_calls(motif_input *in, size_t usual) {
  const size_t most = usual + MOTIF_FURTHER_CALLS;
  const size_t choice = (size_t)motif_choice(in, 4 * (most + 1) - 1);
  if (choice > most) return (choice - most - 1) % (usual + 1);
  if (choice <= usual) return choice;
  motif_is_short = 1;
  return usual;
}

long long motif_take_size_or_less(motif_input *in, size_t most) {
  const size_t size = motif_take_size(in, 0, most + 1);
  return size > most ? -1 : (long long)size;
}

long long motif_take_length(motif_input *in, size_t most, motif_kind kind, size_t size) {
  const unsigned long long length = motif_choice(in, most + (most + 7) / 7);
  (void)kind;
  if (length <= most) return (long long)length;
  const unsigned unused = (unsigned)(8 - size) * 8;
  return (long long)(motif_number(in, size) << unused) >> unused;
}

size_t motif_take_pick(motif_input *in, size_t choices) {
  return choices ? (size_t)motif_choice(in, choices - 1) : 0;
}

size_t motif_take_way(motif_input *in, size_t ways) {
  const size_t last = MOTIF_WAY_CHOICES - 1, choice = (size_t)motif_choice(in, last);
  return choice == last ? ways - 1 : choice % (ways - 1);
}

long long motif_take_enum(motif_input *in, const long long *values, size_t count) {
  const unsigned choice = (unsigned)motif_number(in, 2);
  if (count == 0 || choice >> 11 == 31) return (int)motif_number(in, 4);
  return values[choice % count];
}

#ifndef __cplusplus
void *malloc(size_t);
#endif
void *motif_allocate(motif_input *in, size_t size) {
  unsigned char *memory = (unsigned char *)malloc(size ? size : 1);
  (void)in;
  for (size_t i = 0; i < size; ++i) memory[i] = 0;
  return memory;
}

void *motif_allocate_with_room(motif_input *in, size_t size) { return motif_allocate(in, size); }

char *motif_take_cstring(motif_input *in, size_t most) {
  char *text = (char *)malloc(most + 1);
  size_t length = 0;
  while (length < most) {
    text[length] = (char)motif_next(in);
    if (!text[length]) return text;
    ++length;
  }
  text[length] = 0;
  return text;
}

/* ---- the record --------------------------------------------------------------------------------- */

static void motif_cell(motif_record *record, unsigned char tag, unsigned long long value) {
  __ESBMC_assert(record->used < MOTIF_CELLS, "motif: room");
  if (record->used >= MOTIF_CELLS) return;
  if (record->is_second) {
    motif_equal &= motif_tags[record->used] == tag && motif_cells[record->used] == value;
  } else {
    motif_tags[record->used] = tag;
    motif_cells[record->used] = value;
  }
  ++record->used;
}

/* Where both sides open the same, they record the same places: only what parts them is told. */
void motif_open(motif_record *record, const char *name, motif_part part) {
  (void)name;
  motif_cell(record, 1, part);
}
void motif_close(motif_record *record) { (void)record; }
void motif_open_member(motif_record *record, const char *name) { (void)record; (void)name; }
void motif_open_index(motif_record *record, size_t index) { motif_cell(record, 2, index); }

void motif_value(motif_record *record, motif_kind kind, const void *value, size_t size) {
  const unsigned char *at = (const unsigned char *)value;
  unsigned long long bits = 0;
  if (kind == MOTIF_FLOAT && size == 4) {
    const float number = *(const float *)value;
    if (number != number) {
      motif_cell(record, 3, 0);
      return;
    }
  } else if (kind == MOTIF_DOUBLE && size == 8) {
    const double number = *(const double *)value;
    if (number != number) {
      motif_cell(record, 3, 0);
      return;
    }
  } else if (kind == MOTIF_BOOL) {
    motif_cell(record, 4, at[0] != 0);
    return;
  }
  for (size_t i = 0; i < size; ++i) {
    bits |= (unsigned long long)at[i] << (8 * (i % 8));
    if (i % 8 == 7 || i + 1 == size) {
      motif_cell(record, 4, bits);
      bits = 0;
    }
  }
}

void motif_text(motif_record *record, const char *text, size_t length) {
  motif_cell(record, 5, length);
  for (size_t i = 0; i < length; ++i) motif_cell(record, 6, (unsigned char)text[i]);
}

void motif_null(motif_record *record, int is_null) { motif_cell(record, 7, is_null != 0); }

void motif_text_range(motif_record *record, const char *begin, const char *end) {
  if (!begin || !end) motif_null(record, !begin);
  else motif_text(record, begin, (size_t)(end - begin));
}

void motif_values(motif_record *record, motif_kind kind, const void *values, size_t size, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    motif_open_index(record, i);
    motif_value(record, kind, (const char *)values + i * size, size);
  }
}

void motif_behind(motif_record *record, motif_kind kind, const void *values, size_t size, size_t count) {
  if (!values) {
    motif_null(record, 1);
    return;
  }
  motif_cell(record, 5, count);
  for (size_t i = 0; i < count; ++i) motif_value(record, kind, (const char *)values + i * size, size);
}

/* The search sees the number where it is a constant table's: what is called equal must be equal here as well. */
void motif_pointee(motif_record *record, motif_kind kind, const void *value, size_t size) {
  if (value) motif_value(record, kind, value, size);
}

void motif_allocated(motif_record *record, motif_kind kind, const void *values, size_t size) {
  (void)kind;
  (void)size;
  motif_null(record, !values);
}

size_t motif_trailing(motif_record *record, const void *object, const void *first, size_t size) {
  (void)record;
  (void)object;
  (void)first;
  (void)size;
  return 0;
}

void motif_prints(motif_record *record) { (void)record; }
void motif_printed(motif_record *record) { (void)record; }

void motif_distance(motif_record *record, const char *name, const void *at, const void *from, size_t size) {
  (void)record;
  (void)name;
  (void)at;
  (void)from;
  (void)size;
}

/* What the search sees is seen here: it looks at arrays that the input has filled, this at any. */
void motif_place(motif_record *record, const char *name, const void *at, const void *from, size_t size) {
  (void)name;
  if (!at || !from || !__ESBMC_same_object(at, from)) return;
  motif_cell(record, 5, (unsigned long long)((__ESBMC_POINTER_OFFSET(at) - __ESBMC_POINTER_OFFSET(from)) / (long)size));
}

#define MOTIF_MAY_BE_ADDRESS ""
int motif_may_be_address(const void *value, size_t size) { (void)value; (void)size; return 0; }
void motif_skip(motif_record *record, const char *why) {
  (void)why;
  motif_cell(record, 8, 0);
}
void motif_enter(motif_record *record) { (void)record; }
void motif_leave(motif_record *record) { (void)record; }
int motif_is_full(const motif_record *record) { (void)record; return 0; }
int motif_may_read(const motif_record *record, const void *object, size_t size) {
  (void)record;
  (void)object;
  (void)size;
  return 1;
}

/* What a driver names, and only a worker asks. */
int motif_differences(const motif_record *one, const motif_record *other, const char *const *but_for, size_t count) {
  (void)one;
  (void)other;
  (void)but_for;
  (void)count;
  return 0;
}

/* ---- notes -------------------------------------------------------------------------------------- */

static unsigned char motif_noted[MOTIF_POINTS];
unsigned char *motif_probes = motif_noted;

/* ---- errno, which is as new for each side, and not compared ------------------------------------- */

static int motif_errno;
#ifdef __cplusplus
#define MOTIF_NOTHROW noexcept
#else
#define MOTIF_NOTHROW
#endif
int *__errno_location(void) MOTIF_NOTHROW { return &motif_errno; }
int *__errno(void) MOTIF_NOTHROW { return &motif_errno; }

/* ---- the questions ------------------------------------------------------------------------------ */

void motif_any_input(void) {
  for (size_t i = 0; i < MOTIF_INPUT_BYTES; ++i) motif_byte[i] = nondet_uchar();
}

#ifdef __cplusplus
}
#endif

#endif
