/* Finds a unit's variables by ELF section, as runtime/state.cpp does for the worker, and restores them. Compiled
 * without AFL++'s instrumentation and without a sanitizer: copying variables together with their red zones is no
 * fault, and this code is not part of the unit. For the same reason nothing here calls memcpy or memcmp, which a
 * sanitizer intercepts. */
#include "afl_variables.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define STRETCHES_MOST 64u
#define SECTIONS_MOST 4096u
#define PAGE 4096u
/* The distance to other parts of the stack. */
#define STACK ((uintptr_t)8 << 20)

typedef uint64_t __attribute__((aligned(1), may_alias)) word;

typedef struct {
  uint8_t *now;
  uint8_t *before;
  size_t size;
} stretch;

static stretch stretches[STRETCHES_MOST];
static unsigned stretch_count;

/* MemorySanitizer's, if linked: restored memory is initialised. */
void __msan_unpoison(const volatile void *at, size_t size) __attribute__((weak));

static void copy(uint8_t *to, const uint8_t *from, size_t size) {
#ifdef __x86_64__
  __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
#else
  for (volatile uint8_t *at = to; size > 0; --size) *at++ = *from++;
#endif
}

/* Memory that cannot be read or saved sends the unit to file mode, which has an exit code for that. */
__attribute__((noreturn)) static void give_up(const char *what) {
  fprintf(stderr, "the unit's variables can't be kept: %s\n", what);
  _exit(2);
}

static void add(uint8_t *at, size_t size) {
  if (size == 0) return;
  if (stretch_count == STRETCHES_MOST) give_up("too many sections");
  uint8_t *before = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (before == MAP_FAILED) give_up("no memory");
  stretches[stretch_count++] = (stretch){at, before, size};
}

static int begins(const char *name, const char *start) {
  while (*start && *name == *start) ++name, ++start;
  return *start == 0;
}

/* Writable sections that are not the unit's variables: tables, counters, a sanitizer's data. */
static int is_variables(const char *name) {
  static const char *const others[] = {".got",   ".dynamic", ".init_array",     ".fini_array",
                                       ".ctors", ".dtors",   ".jcr",            ".tm_clone_table",
                                       "asan_",  "__sancov", ".preinit_array",  ".data.rel.ro"};
  for (size_t i = 0; i < sizeof others / sizeof *others; ++i) {
    if (begins(name, others[i])) return 0;
  }
  return 1;
}

static int read_at(int file, void *to, size_t size, uint64_t at) {
  return pread(file, to, size, (off_t)at) == (ssize_t)size;
}

static void read_sections(const char *path, uintptr_t base) {
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  ElfW(Ehdr) head;
  if (file < 0 || !read_at(file, &head, sizeof head, 0)) give_up(path);
  if (head.e_shnum == 0 || head.e_shnum > SECTIONS_MOST || head.e_shentsize != sizeof(ElfW(Shdr))) give_up(path);
  ElfW(Shdr) names, section;
  if (!read_at(file, &names, sizeof names, head.e_shoff + head.e_shstrndx * sizeof names)) give_up(path);
  for (size_t i = 0; i < head.e_shnum; ++i) {
    if (!read_at(file, &section, sizeof section, head.e_shoff + i * sizeof section)) give_up(path);
    if (!(section.sh_flags & SHF_ALLOC) || !(section.sh_flags & SHF_WRITE) || section.sh_flags & SHF_TLS) continue;
    /* Longer names differ from all names above before they end. */
    char name[32] = "";
    if (pread(file, name, sizeof name - 1, (off_t)(names.sh_offset + section.sh_name)) < 0) give_up(path);
    if (is_variables(name)) add((uint8_t *)(base + section.sh_addr), section.sh_size);
  }
  close(file);
}

static int holds(const struct dl_phdr_info *info, uintptr_t address) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    const uintptr_t from = info->dlpi_addr + part->p_vaddr;
    if (part->p_type == PT_LOAD && address >= from && address - from < part->p_memsz) return 1;
  }
  return 0;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *address) {
  (void)size;
  if (!holds(info, (uintptr_t)address)) return 0;
  read_sections(info->dlpi_name, info->dlpi_addr);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    /* Thread-local variables exist from the start: the object is linked to the program. */
    if (info->dlpi_phdr[i].p_type == PT_TLS && info->dlpi_tls_data) {
      add(info->dlpi_tls_data, info->dlpi_phdr[i].p_memsz);
    }
  }
  return 1;
}

void motif_variables_of(const void *address) {
  if (!dl_iterate_phdr(add_object, (void *)address)) give_up("no object has it");
}

void motif_variables_keep(void) {
  for (unsigned i = 0; i < stretch_count; ++i) copy(stretches[i].before, stretches[i].now, stretches[i].size);
}

static int in_an_object(struct dl_phdr_info *info, size_t size, void *address) {
  (void)size;
  return holds(info, (uintptr_t)address);
}

/* Whether a changed word may be the address of heap memory. */
static int is_heap(uintptr_t value) {
  if (value < 0x10000 || value >> 47 || value % 8) return 0;
  unsigned char there;
  if (mincore((void *)(value / PAGE * PAGE), PAGE, &there) != 0) return 0;
  const uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (value > here - STACK && value < here + STACK) return 0;
  return !dl_iterate_phdr(in_an_object, (void *)value);
}

/* Whether eight words differ, without a branch per word. */
static int differ(const uint8_t *now, const uint8_t *before) {
  const word *one = (const word *)now, *other = (const word *)before;
  uint64_t all = 0;
  for (int i = 0; i < 8; ++i) all |= one[i] ^ other[i];
  return all != 0;
}

/* 0: unchanged; 1: changed; 2: changed, and owns heap memory. */
static int changed(const stretch *one) {
  int found = 0;
  /* Words are aligned in memory, not in the section. */
  size_t at = -(uintptr_t)one->now % sizeof(uint64_t);
  for (size_t i = 0; i < at && i < one->size; ++i) found |= one->now[i] != one->before[i];
  while (at + sizeof(uint64_t) <= one->size) {
    if (at + 64 <= one->size && !differ(one->now + at, one->before + at)) {
      at += 64;
      continue;
    }
    for (const size_t end = at + 64; at < end && at + sizeof(uint64_t) <= one->size; at += sizeof(uint64_t)) {
      const uint64_t now = *(const word *)(one->now + at), before = *(const word *)(one->before + at);
      if (now == before) continue;
      if (is_heap(now) || is_heap(before)) return 2;
      found = 1;
    }
  }
  for (; at < one->size; ++at) found |= one->now[at] != one->before[at];
  return found;
}

int motif_variables_put_back(void) {
  int is_changed[STRETCHES_MOST];
  for (unsigned i = 0; i < stretch_count; ++i) {
    is_changed[i] = changed(&stretches[i]);
    if (is_changed[i] == 2) return 0;
  }
  for (unsigned i = 0; i < stretch_count; ++i) {
    if (!is_changed[i]) continue;
    copy(stretches[i].now, stretches[i].before, stretches[i].size);
    if (__msan_unpoison) __msan_unpoison(stretches[i].now, stretches[i].size);
  }
  return 1;
}
