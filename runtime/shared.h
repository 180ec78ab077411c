/* Memory that a worker shares with its supervisor; src/engine/libfuzzer.rs has the same layout. */
#ifndef MOTIF_SHARED_H
#define MOTIF_SHARED_H

#include <stdint.h>

#define MOTIF_SHARED_MAGIC 0x4d4f543au
#define MOTIF_SLOTS_MOST 4096u
#define MOTIF_INPUT_MOST 65536u
#define MOTIF_PLAINS_MOST 8u
#define MOTIF_POINTS_MOST 4096u
#define MOTIF_SAID_MOST 192u
#define MOTIF_TIMES_MOST 16u
#define MOTIF_TIMES_SIZE (1u << 19) /* of the file with the counts, see discoveries.cpp */

enum { MOTIF_SLOT_UNUSED, MOTIF_SLOT_LIVE, MOTIF_SLOT_CANDIDATE, MOTIF_SLOT_DONE };
enum { MOTIF_AT_IDLE, MOTIF_AT_ORIGINAL, MOTIF_AT_MUTANT };
enum { MOTIF_FLAG_ORIGINAL_DIFFERS = 1, MOTIF_FLAG_COPY_DIFFERS = 2, MOTIF_FLAG_STATE = 4, MOTIF_FLAG_REACHED = 8,
       MOTIF_FLAG_RETURNED = 16 };

struct motif_slot {
  uint32_t state;
  uint32_t ending;       /* of the candidate */
  uint64_t executions;   /* inputs met while it was live */
  uint64_t returned;     /* of those, inputs on which the original returned or threw */
  uint64_t reached;      /* inputs on which the original reached the changed place */
  uint64_t infected;     /* inputs on which the value differed; without a probe, as `reached` */
  uint32_t unforeseen;   /* a candidate whose probe did not fire */
  uint32_t plain;        /* of the candidate: which of the minimised inputs is its own, from 1; 0: none */
};

struct motif_shared {
  uint32_t magic;
  uint32_t stop;         /* set by the supervisor: exit at the next input */
  uint64_t allowed;      /* inputs per live mutant; 0: no limit */
  uint64_t pause;        /* inputs in total, however many live; 0: no limit */
  uint64_t executions;   /* inputs so far, by all workers of the unit */
  uint64_t returned;     /* of those, inputs on which the original returned or threw */
  uint64_t seeds_done;   /* seeds so far */
  uint64_t hangs;        /* inputs on which the original did not return in time */
  uint32_t slots;
  uint32_t at;           /* the side that is running */
  uint32_t active;       /* the slot that is running */
  uint32_t forked;       /* each side runs in a child of its own */
  uint32_t flags;
  uint32_t searching;    /* the current input is not a seed */
  uint32_t input_size;
  uint32_t longest;      /* the most bytes that the original requested */
  uint32_t fault_ending; /* the original's, on the current input */
  uint32_t fault_detail;
  uint32_t plain_count;  /* so many minimised inputs are in `plain` */
  uint32_t fills;        /* memory that nobody has written to is alike for each side */
  uint64_t thrown;       /* inputs on which the original threw */
  uint64_t unmade;       /* inputs on which making its objects threw */
  uint64_t look;         /* after so many inputs the supervisor is asked whether more are worth it; 0: never */
  uint64_t latest;       /* the key of the input that did something new last */
  uint64_t often[MOTIF_TIMES_MOST]; /* what the original did: how much, and how much of it on 1, 2, ... inputs */
  char failed_said[MOTIF_SAID_MOST]; /* how the original failed most often */
  char thrown_said[MOTIF_SAID_MOST]; /* its first exception; */
  char unmade_said[MOTIF_SAID_MOST]; /* that of its objects */
  uint32_t plain_size[MOTIF_PLAINS_MOST];
  struct motif_slot slot[MOTIF_SLOTS_MOST];
  uint8_t points[MOTIF_POINTS_MOST]; /* places that the original reached on any input */
  uint8_t input[MOTIF_INPUT_MOST];
  uint8_t plain[MOTIF_PLAINS_MOST][MOTIF_INPUT_MOST]; /* on which candidates differ too */
};

#ifdef __cplusplus
static_assert(sizeof(struct motif_shared) == 136 + MOTIF_TIMES_MOST * 8 + 3 * MOTIF_SAID_MOST + MOTIF_PLAINS_MOST * 4 + MOTIF_SLOTS_MOST * 48 + MOTIF_POINTS_MOST + (1 + MOTIF_PLAINS_MOST) * MOTIF_INPUT_MOST,
              "as in src/engine/shared.rs");
#endif

#endif
