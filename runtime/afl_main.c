/* The main program of a unit under AFL++, as the papers have it: one mutant, one input from a file, the original
 * first and the mutant behind it, abort() where their records differ.
 *   PROGRAM NUMBER FILE        the mutant of that number (0: none; any number where an image is linked)
 *   PROGRAM forked:NUMBER FILE the original in a child of its own, for units that change global state
 * A file named by MOTIF_PHASE gets a letter as each side starts and ends, so that a crash can be told apart. */
#include "confine.h"
#include "motif.h"
#include "motif_internal.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECORD_MOST ((size_t)1 << 20)
#define INPUT_MOST ((size_t)1 << 20)

#ifdef __has_feature
#define HAS_ASAN __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_ASAN 1
#else
#define HAS_ASAN 0
#endif

/* The same driver built against the mutated file, where a copy can't express the mutant. */
extern const motif_unit motif_image_unit __attribute__((weak));

int motif_same(const motif_record *one, const motif_record *other);

__attribute__((noreturn)) void __real__exit(int code);
__attribute__((noreturn)) void __real_abort(void);

/* Set by the build where the leak checker is linked in. */
#ifdef __AFL_LEAK_CHECK
int __lsan_do_recoverable_leak_check(void);
#define LEAKS() __lsan_do_recoverable_leak_check()
#else
#define LEAKS() 0
#endif

enum { LEAK_CODE = 23 };

static volatile char phase = 's';
static int phase_file = -1;

static void enter(char next) {
  phase = next;
  if (phase_file >= 0 && write(phase_file, &next, 1) != 1) phase_file = -1;
}

/* A mutant that ends the process is a mutant that differs; an original that does is no input for us. */
__attribute__((noreturn)) static void ended(void) {
  if (phase == 'm') __real_abort();
  enter('x');
  __real__exit(0);
}

void __wrap_exit(int code) { (void)code; ended(); }
void __wrap__exit(int code) { (void)code; ended(); }
void __wrap__Exit(int code) { (void)code; ended(); }
void __wrap_quick_exit(int code) { (void)code; ended(); }
void __wrap_abort(void) { __real_abort(); }

/* Static memory in place of what motif_input_create and motif_record_create map: every input is a process of its
 * own here, and each mapping costs AddressSanitizer a tenth of a millisecond. */
static uint8_t records[2][RECORD_MOST + 1];
static char paths[2][MOTIF_PATH_MOST];
static motif_record original, mutant;

static void prepare(motif_record *record, int side) {
  memset(record, 0, sizeof *record);
  record->bytes = records[side];
  record->size = RECORD_MOST;
  record->path = paths[side];
}

static void drive(void (*side)(motif_input *, motif_record *), const uint8_t *bytes, size_t size, motif_record *record) {
#if HAS_ASAN
  enum { ARENA = 1 }; /* From the heap, so that each allocation has its guards. */
#else
  enum { ARENA = 1 << 20 };
#endif
  static _Alignas(16) uint8_t arena[ARENA];
  static motif_input input;
  memset(&input, 0, sizeof input);
  input.fill = 0xA5;
  input.arena = arena;
  input.arena_size = HAS_ASAN ? 0 : sizeof arena;
  motif_input_reset(&input, bytes, size);
  motif_record_reset(record);
  side(&input, record);
}

/* The record of a child comes back through memory that both see. */
struct result {
  size_t used;
  int full;
  uint8_t bytes[RECORD_MOST];
};

static void drive_apart(const uint8_t *bytes, size_t size, motif_record *record) {
  struct result *result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (result == MAP_FAILED) __real__exit(2);
  const pid_t parent = getpid(), child = fork();
  if (child < 0) __real__exit(2);
  if (child == 0) {
    motif_die_with(parent);
    motif_take_last_step();
    drive(motif_the_unit.original, bytes, size, record);
    result->used = record->used;
    result->full = record->full;
    memcpy(result->bytes, record->bytes, record->used < RECORD_MOST ? record->used : RECORD_MOST);
    __real__exit(LEAKS() ? LEAK_CODE : 100);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) __real_abort();
  if (WEXITSTATUS(status) == LEAK_CODE) __real__exit(LEAK_CODE);
  /* Anything but 100: the original ended the process. */
  if (WEXITSTATUS(status) != 100) __real__exit(0);
  motif_record_reset(record);
  record->used = result->used < RECORD_MOST ? result->used : RECORD_MOST;
  record->full = result->full;
  memcpy(record->bytes, result->bytes, record->used);
}

/* Once for all runs: afl-fuzz starts the server that forks them after this. */
__attribute__((constructor(101))) static void confine(void) {
  motif_read_last_step();
  motif_keep_to_own_folder();
}

int main(int argc, char **argv) {
  motif_die_with(getppid());
  if (argc != 3) {
    fprintf(stderr, "usage: %s [forked:]NUMBER FILE\n", argv[0]);
    return 2;
  }
  const int forked = strncmp(argv[1], "forked:", 7) == 0;
  const int number = atoi(argv[1] + (forked ? 7 : 0));
  const int file = open(argv[2], O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) return 2;
  const size_t length = status.st_size < (off_t)INPUT_MOST ? (size_t)status.st_size : INPUT_MOST;
  uint8_t *bytes = malloc(length + 1);
  if (!bytes) return 2;
  size_t size = 0;
  for (ssize_t got; size < length && (got = read(file, bytes + size, length - size)) > 0;) size += (size_t)got;
  close(file);
  prepare(&original, 0);
  prepare(&mutant, 1);
  const char *log = getenv("MOTIF_PHASE");
  if (log) phase_file = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);

  /* What is short is read as zeroes by the runtime. */
  enter('o');
  motif_set_mutant(0);
  if (forked) {
    drive_apart(bytes, size, &original);
    motif_take_last_step();
  } else {
    motif_take_last_step();
    drive(motif_the_unit.original, bytes, size, &original);
    if (LEAKS()) __real__exit(LEAK_CODE);
  }

  enter('m');
  if (&motif_image_unit && number) {
    drive(motif_image_unit.original, bytes, size, &mutant);
  } else if (motif_the_unit.copy) {
    motif_set_mutant(number);
    drive(motif_the_unit.copy, bytes, size, &mutant);
  } else {
    drive(motif_the_unit.original, bytes, size, &mutant);
  }
  if (LEAKS()) __real__exit(LEAK_CODE);

  enter('c');
  if (!motif_same(&original, &mutant)) __real_abort();
  enter('e');
  /* No destructors of statics: they are nobody's output. */
  __real__exit(0);
}
