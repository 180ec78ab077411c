/* The last step of a process's confinement, which it takes itself before it calls the unit: from then on it starts no
 * other process and signals none. src/supervise/filter.rs makes the program; the parent sets the other guards. */
#ifndef MOTIF_CONFINE_H
#define MOTIF_CONFINE_H

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOTIF_LAST_STEP "MOTIF_LAST_STEP"
#define MOTIF_OWN_FOLDER "MOTIF_OWN_FOLDER"
/* Stands for the process id. */
#define MOTIF_SELF 0x4d4f5449u
#define MOTIF_LAST_MOST 128

static struct sock_filter motif_last_step[MOTIF_LAST_MOST];
static unsigned short motif_last_steps;

/* Reads the program; called before anything else runs. */
static inline void motif_read_last_step(void) {
  const char *text = getenv(MOTIF_LAST_STEP);
  if (!text) return;
  const size_t size = strlen(text) / 2;
  if (size % sizeof *motif_last_step || size > sizeof motif_last_step) _exit(70);
  uint8_t *bytes = (uint8_t *)motif_last_step;
  for (size_t i = 0; i < size; ++i) {
    const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
    bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  motif_last_steps = (unsigned short)(size / sizeof *motif_last_step);
  unsetenv(MOTIF_LAST_STEP);
}

/* Sets the program, for this process and its successors. Does nothing without a program. */
static inline void motif_take_last_step(void) {
  if (!motif_last_steps) return;
  struct sock_filter steps[MOTIF_LAST_MOST];
  memcpy(steps, motif_last_step, motif_last_steps * sizeof *steps);
  for (unsigned short i = 0; i < motif_last_steps; ++i) {
    if (steps[i].k == MOTIF_SELF) steps[i].k = (uint32_t)getpid();
  }
  const struct sock_fprog program = {motif_last_steps, steps};
  /* No part of a process is guarded from another here: processor mitigations would only cost. */
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 1ul << 2, &program) != 0) _exit(70);
}

/* A child that outlives its parent would never be ended. */
static inline void motif_die_with(pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(70);
}

/* For a program under afl-fuzz, which may write to less than afl-fuzz. */
static inline void motif_keep_to_own_folder(void) {
  const char *path = getenv(MOTIF_OWN_FOLDER);
  if (!path) return;
  const long version = syscall(444 /* landlock_create_ruleset */, NULL, 0, 1);
  if (version < 1) _exit(70);
  /* Writing, removing and creating; moving since 2, truncating since 3; signals since 6. */
  struct {
    uint64_t files, network, scoped;
  } rules = {0x1ff2u | (version >= 2 ? 1u << 13 : 0) | (version >= 3 ? 1u << 14 : 0), 0, version >= 6 ? 2u : 0u};
  struct {
    uint64_t allowed;
    int32_t parent;
  } __attribute__((packed)) rule = {rules.files, -1};
  const int ruleset = (int)syscall(444, &rules, sizeof rules, 0);
  rule.parent = open(path, O_RDONLY | O_CLOEXEC);
  if (ruleset < 0 || rule.parent < 0 || syscall(445 /* landlock_add_rule */, ruleset, 1, &rule, 0) != 0) _exit(70);
  close(rule.parent);
  rule.parent = open("/dev/null", O_RDONLY | O_CLOEXEC);
  rule.allowed = 2;
  if (rule.parent >= 0) {
    syscall(445, ruleset, 1, &rule, 0);
    close(rule.parent);
  }
  if (syscall(446 /* landlock_restrict_self */, ruleset, 0) != 0) _exit(70);
  close(ruleset);
  if (chdir(path) != 0) _exit(70);
}

#endif
