/* The main program of a unit under AFL++, as in the papers: one mutant, one input from a file, the original first and
 * then the mutant, abort() if their records differ.
 *   PROGRAM NUMBER FILE           the mutant of that number (0: none; any number if an image is linked)
 *   PROGRAM forked:NUMBER FILE    the original in a child, for units that change global state
 * Built with MOTIF_PERSISTENT it can also run many inputs in one process, and restores the unit's variables in between:
 *   PROGRAM kept:NUMBER WARM      inputs in shared memory, after a first call on the input in the file WARM
 *   PROGRAM kept:NUMBER WARM FILE the same once, on the input in FILE
 * The file named by MOTIF_PHASE gets a letter when each side starts and ends, so that the crashing side is known. */
#ifdef MOTIF_PERSISTENT
#include "afl_variables.h"
#endif
#include "confine.h"
#include "motif.h"
#include "motif_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
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

/* The same driver built against the mutated file, if a copy cannot express the mutant. */
extern const motif_unit motif_image_unit __attribute__((weak));

__attribute__((noreturn)) void __real__exit(int code);
__attribute__((noreturn)) void __real_abort(void);

/* Set by the build if the leak checker is linked in. */
#ifdef __AFL_LEAK_CHECK
int __lsan_do_recoverable_leak_check(void);
#define LEAKS() __lsan_do_recoverable_leak_check()
#else
#define LEAKS() 0
#endif

enum { LEAK_CODE = 23 };

static volatile char phase = 's';
static int phase_file = -1;

static void note(char letter) {
  if (phase_file >= 0 && write(phase_file, &letter, 1) != 1) phase_file = -1;
}

static void enter(char next) {
  phase = next;
  note(next);
}

/* A mutant that ends the process differs; an original that does makes the input invalid. */
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

/* A side of a run. Static memory instead of mappings: each mapping costs AddressSanitizer a tenth of a millisecond,
 * and an input in file mode is a process of its own. */
#if HAS_ASAN
enum { ARENA = 1 }; /* On the heap, so that each allocation has its red zones. */
#else
enum { ARENA = 1 << 20 };
#endif
static uint8_t records[2][RECORD_MOST + 1];
static const char *names[2][MOTIF_NAMES_MOST];
static char paths[2][MOTIF_PATH_MOST];
static _Alignas(16) uint8_t arenas[2][ARENA];
static motif_input inputs[2];
static motif_record original, mutant;

static void prepare(motif_record *record, int side) {
  memset(record, 0, sizeof *record);
  record->bytes = records[side];
  record->names = names[side];
  record->size = RECORD_MOST;
  record->path = paths[side];
  memset(&inputs[side], 0, sizeof inputs[side]);
  inputs[side].fill = 0xA5;
  inputs[side].arena = arenas[side];
  inputs[side].arena_size = HAS_ASAN ? 0 : ARENA;
}

static void drive(void (*side)(motif_input *, motif_record *), const uint8_t *bytes, size_t size,
                  motif_record *record) {
  motif_input *input = &inputs[record == &mutant];
  motif_input_reset(input, bytes, size);
  motif_record_reset(record);
  side(input, record);
  motif_record_files(input, record);
}

static void drive_mutant(int number, const uint8_t *bytes, size_t size) {
  if (&motif_image_unit && number) {
    drive(motif_image_unit.original, bytes, size, &mutant);
  } else if (motif_the_unit.copy) {
    motif_set_mutant(number);
    drive(motif_the_unit.copy, bytes, size, &mutant);
  } else {
    drive(motif_the_unit.original, bytes, size, &mutant);
  }
}

/* The record of a child is returned in shared memory. */
struct result {
  size_t used;
  int full;
  uint32_t named;
  const char *names[MOTIF_NAMES_MOST];
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
    result->named = record->named;
    memcpy(result->names, record->names, record->named * sizeof *record->names);
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
  record->named = result->named;
  memcpy(record->names, result->names, record->named * sizeof *record->names);
  memcpy(record->bytes, result->bytes, record->used);
}

/* Once for all runs: afl-fuzz starts the fork server after this. */
__attribute__((constructor(101))) static void confine(void) {
  motif_read_last_step();
  motif_keep_to_own_folder();
}

/* The input in a file, cut to the longest that afl-fuzz makes. */
static uint8_t *read_input(const char *path, size_t *size) {
  const int file = open(path, O_RDONLY);
  struct stat status;
  if (file < 0 || fstat(file, &status) != 0) __real__exit(2);
  const size_t length = status.st_size < (off_t)INPUT_MOST ? (size_t)status.st_size : INPUT_MOST;
  uint8_t *bytes = malloc(length + 1);
  if (!bytes) __real__exit(2);
  *size = 0;
  for (ssize_t got; *size < length && (got = read(file, bytes + *size, length - *size)) > 0;) *size += (size_t)got;
  close(file);
  return bytes;
}

/* Whether a caller sees the same of both: the driver's `compare` says so, which finds no difference where no byte differs. */
static int same_records(void) {
  return motif_same(&original, &mutant) ||
         (motif_the_unit.compare && motif_the_unit.compare(&original, &mutant) == 0);
}

static void run_once(int forked, int number, const uint8_t *bytes, size_t size) {
  /* The runtime reads missing bytes as zero. */
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
  drive_mutant(number, bytes, size);
  if (LEAKS()) __real__exit(LEAK_CODE);

  enter('c');
  if (!same_records()) __real_abort();
  enter('e');
}

#ifdef MOTIF_PERSISTENT
/* The most inputs of one process. State outside variables (the heap, libraries) may accumulate until then. */
enum { RUNS_MOST = 1000 };
/* The interval of checks for accumulated state, and its limits. */
enum { LOOKS_EVERY = 64, FILES_MOST = 64 };
static const long memory_most = 256l << 10; /* KiB */

__AFL_FUZZ_INIT();

/* Before afl-fuzz is told that inputs come in shared memory: a unit may need file mode all the same. */
__attribute__((constructor(102))) static void choose_mode(int argc, char **argv) {
  if (argc != 3 || strncmp(argv[1], "kept:", 5) != 0) __afl_sharedmem_fuzzing = 0;
}

/* A unit may leave memory, files and threads behind, which restoring variables does not undo. */
static int is_worn(long memory_before) {
  struct rusage usage;
  if (getrusage(RUSAGE_SELF, &usage) != 0 || usage.ru_maxrss - memory_before > memory_most) return 1;
  const int next = dup(STDIN_FILENO);
  if (next >= 0) close(next);
  struct stat threads;
  return next > FILES_MOST || stat("/proc/self/task", &threads) != 0 || threads.st_nlink > 3;
}

static void start_alike(void) {
  errno = 0;
  fesetenv(FE_DFL_ENV);
}

/* Whether the variables are as before the call. */
static int put_back(void) {
  motif_set_mutant(0);
  if (motif_variables_put_back()) return 1;
  note('h');
  return 0;
}

/* One of many inputs; 0 if this process cannot run another. */
static int run_kept(int number, const uint8_t *bytes, size_t size) {
  enter('o');
  start_alike();
  drive(motif_the_unit.original, bytes, size, &original);
  if (LEAKS()) __real__exit(LEAK_CODE);
  /* If they cannot be restored, the mutant starts where the original has stopped, as in file mode. */
  int stays = put_back();

  enter('m');
  start_alike();
  drive_mutant(number, bytes, size);
  if (LEAKS()) __real__exit(LEAK_CODE);
  stays &= put_back();

  enter('c');
  if (!same_records()) __real_abort();
  enter('e');
  return stays;
}

static void run_many(int number, const char *warm, const char *only) {
  size_t size;
  uint8_t *bytes = read_input(warm, &size);
  size_t only_size = 0;
  const uint8_t *only_bytes = only ? read_input(only, &only_size) : NULL;
  motif_take_last_step();
  motif_set_mutant(0);
  /* State that is created at the first call stays. */
  drive(motif_the_unit.original, bytes, size, &original);
  if (&motif_image_unit && number) {
    /* An image has its own variables. */
    enter('m');
    drive(motif_image_unit.original, bytes, size, &mutant);
  }
  /* Nothing reads it again, and a leak checker would report it. */
  free(bytes);
  motif_variables_of((const void *)motif_the_unit.original);
  if (&motif_image_unit) motif_variables_of((const void *)motif_image_unit.original);
  motif_variables_keep();
  if (only) {
    run_kept(number, only_bytes, only_size);
    return;
  }
  struct rusage usage;
  const long memory_before = getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
  const uint8_t *const input = __AFL_FUZZ_TESTCASE_BUF;
  for (unsigned run = 1; __AFL_LOOP(RUNS_MOST); ++run) {
    const size_t length = (size_t)__AFL_FUZZ_TESTCASE_LEN;
    if (!run_kept(number, input, length < INPUT_MOST ? length : INPUT_MOST)) break;
    if (run % LOOKS_EVERY == 0 && is_worn(memory_before)) break;
    phase = 's';
  }
}
#endif

int main(int argc, char **argv) {
  motif_die_with(getppid());
  const char *log = getenv("MOTIF_PHASE");
  if (log) phase_file = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  prepare(&original, 0);
  prepare(&mutant, 1);
#ifdef MOTIF_PERSISTENT
  if ((argc == 3 || argc == 4) && strncmp(argv[1], "kept:", 5) == 0) {
    run_many(atoi(argv[1] + 5), argv[2], argc == 4 ? argv[3] : NULL);
    __real__exit(0);
  }
#endif
  if (argc != 3) {
    fprintf(stderr, "usage: %s [forked:]NUMBER FILE\n", argv[0]);
    return 2;
  }
  const int forked = strncmp(argv[1], "forked:", 7) == 0;
  size_t size;
  const uint8_t *bytes = read_input(argv[2], &size);
  run_once(forked, atoi(argv[1] + (forked ? 7 : 0)), bytes, size);
  /* No destructors of statics: their output does not matter. */
  __real__exit(0);
}
