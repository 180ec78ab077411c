/* In how many values two records differ: what a driver's `compare` asks. The search compares bytes first, and comes
 * here only where they are not the same. */
#include "motif_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A record that is read from its beginning, one value after the other. Its paths are compared by their digests (FNV-1a,
 * 64 bits): a record may have a hundred thousand values, and comparing takes longer than the unit does. */
typedef struct reader {
  const motif_record *record;
  size_t at;
  uint32_t name;                        /* the next one */
  int part;
  uint32_t depth;
  uint64_t digest;                      /* of the path */
  uint64_t digest_at[MOTIF_DEPTH_MOST]; /* of the path before each name */
  size_t index[MOTIF_DEPTH_MOST + 1];   /* of the next element at each depth */
  int spells;                           /* the path is spelt as well */
  size_t path_at[MOTIF_DEPTH_MOST];     /* where each name in the path begins */
  size_t path_used;
  char path[MOTIF_PATH_MOST];
  int allocated;                       /* the value is an element of a block */
  const uint8_t *value;                /* with its tag */
  size_t size;
} reader;

static const uint64_t kNoPath = UINT64_C(0xcbf29ce484222325);

static uint64_t digested(uint64_t digest, const char *text) {
  for (; *text; ++text) digest = (digest ^ (uint8_t)*text) * UINT64_C(0x100000001b3);
  return digest;
}

static void spell(reader *in, const char *before, const char *name, const char *behind) {
  if (in->depth < MOTIF_DEPTH_MOST) in->path_at[in->depth] = in->path_used;
  const size_t left = sizeof in->path - in->path_used;
  const int length = snprintf(in->path + in->path_used, left, "%s%s%s", before, name, behind);
  in->path_used += length < 0 ? 0 : (size_t)length;
  if (in->path_used >= sizeof in->path) in->path_used = sizeof in->path - 1;
}

static void enter(reader *in, const char *before, const char *name, const char *behind) {
  if (in->spells) spell(in, before, name, behind);
  if (in->depth < MOTIF_DEPTH_MOST) {
    in->digest_at[in->depth] = in->digest;
    in->index[in->depth + 1] = 0;
  }
  ++in->depth;
  in->digest = digested(digested(digested(in->digest, before), name), behind);
}

static const char *next_name(reader *in) {
  return in->name < in->record->named ? in->record->names[in->name++] : "?";
}

static void enter_element(reader *in) {
  char digits[32];
  char *at = digits + sizeof digits - 1;
  const uint32_t depth = in->depth < MOTIF_DEPTH_MOST ? in->depth : MOTIF_DEPTH_MOST;
  size_t index = in->index[depth]++;
  *at = 0;
  do *--at = (char)('0' + index % 10);
  while (index /= 10);
  enter(in, "[", at, "]");
}

static void leave(reader *in) {
  if (in->depth == 0) return;
  --in->depth;
  in->allocated = 0;
  if (in->depth >= MOTIF_DEPTH_MOST) return;
  in->digest = in->digest_at[in->depth];
  if (!in->spells) return;
  in->path_used = in->path_at[in->depth];
  in->path[in->path_used] = 0;
}

static size_t sized(const uint8_t *at) {
  uint32_t size;
  memcpy(&size, at + 1, sizeof size);
  return 1 + sizeof size + size;
}

/* Goes on to the next value; 0 behind the last. */
static int next(reader *in) {
  while (in->at < in->record->used) {
    const uint8_t *at = in->record->bytes + in->at;
    in->value = at;
    in->size = 1;
    switch (*at) {
      case TAG_OPEN | MOTIF_OUTPUT:
      case TAG_OPEN | MOTIF_STATE:
      case TAG_OPEN | MOTIF_EXCEPTION:
        in->part = *at;
        in->depth = 0;
        in->digest = kNoPath;
        in->path_used = 0;
        in->index[0] = 0;
        enter(in, "", next_name(in), "");
        break;
      case TAG_MEMBER: enter(in, in->digest != kNoPath ? "." : "", next_name(in), ""); break;
      case TAG_INDEX: enter_element(in); break;
      case TAG_ALLOCATED:
        enter_element(in);
        in->allocated = 1;
        break;
      case TAG_CLOSE: leave(in); break;
      default:
        if (*at < TAG_SIZED) in->size = 1 + motif_width((motif_kind)*at);
        else if (*at < TAG_OPEN || *at == TAG_TEXT) in->size = sized(at);
        in->at += in->size;
        return 1;
    }
    ++in->at;
  }
  return 0;
}

static int is_left_out(const reader *in, const char *const *but_for, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const size_t length = strlen(but_for[i]);
    if (in->path_used < length || memcmp(in->path, but_for[i], length) != 0) continue;
    const char behind = in->path[length];
    if (behind == 0 || behind == '.' || behind == '[') return 1;
  }
  return 0;
}

static int next_that_counts(reader *in, const char *const *but_for, size_t count) {
  while (next(in)) {
    if (!is_left_out(in, but_for, count)) return 1;
  }
  return 0;
}

/* A floating-point number; 1 for what is none. */
static double number(const reader *in) {
  float single;
  double number;
  switch (*in->value) {
    case MOTIF_FLOAT: memcpy(&single, in->value + 1, sizeof single); return (double)single;
    case MOTIF_DOUBLE: memcpy(&number, in->value + 1, sizeof number); return number;
    default: return 1;
  }
}

/* How much a test says by a value that the mutant has otherwise. */
static motif_telling telling(const reader *original, const reader *mutant) {
  const double expected = number(original), other = number(mutant);
  /* What a division by zero gives, a zero's sign, or a zero where the mutant divides by zero. */
  if (!isfinite(expected) || (expected == 0 && (other == 0 || !isfinite(other)))) return MOTIF_TELLS_LITTLE;
  const size_t empty = 1 + sizeof(uint32_t);
  if (*original->value == TAG_TEXT && original->size == empty) return MOTIF_TELLS_LITTLE;
  return original->part == (TAG_OPEN | MOTIF_STATE) ? MOTIF_TELLS_STATE : MOTIF_TELLS_CALLER;
}

static int differences(const motif_record *one, const motif_record *other, const char *const *but_for, size_t count,
                       motif_telling *most) {
  *most = MOTIF_TELLS_NOTHING;
  if (motif_same(one, other)) return 0;
  reader left, right;
  memset(&left, 0, sizeof left);
  memset(&right, 0, sizeof right);
  left.record = one;
  right.record = other;
  left.spells = right.spells = count > 0;
  int differences = 0;
  for (;;) {
    int in_one = next_that_counts(&left, but_for, count), in_other = next_that_counts(&right, but_for, count);
    /* How much was allocated is nothing that a caller sees: elements count that both blocks have. Before those of a
     * block stands whether the pointer is null, so that both sides are in the same block here, or one in none. */
    while (in_one && left.allocated && !(in_other && right.allocated)) {
      in_one = next_that_counts(&left, but_for, count);
    }
    while (in_other && right.allocated && !(in_one && left.allocated)) {
      in_other = next_that_counts(&right, but_for, count);
    }
    if (!in_one && !in_other) return differences;
    const int same = in_one && in_other && left.part == right.part && left.size == right.size &&
                     memcmp(left.value, right.value, left.size) == 0 && left.digest == right.digest;
    differences += !same;
    if (same || *most == MOTIF_TELLS_CALLER) continue;
    const motif_telling tells = in_one && in_other ? telling(&left, &right) : MOTIF_TELLS_STATE;
    if (tells > *most) *most = tells;
  }
}

int motif_differences(const motif_record *one, const motif_record *other, const char *const *but_for, size_t count) {
  motif_telling most;
  return differences(one, other, but_for, count, &most);
}

motif_telling motif_most_telling(const motif_record *one, const motif_record *other) {
  motif_telling most;
  differences(one, other, NULL, 0, &most);
  return most;
}
