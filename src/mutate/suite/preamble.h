/* Written by motif-cpp: which of the mutants in this build is active. */
#ifndef MOTIF_SCHEMA
#define MOTIF_SCHEMA
#if defined(__clang__)
#pragma clang diagnostic ignored "-Weverything"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wparentheses"
#pragma GCC diagnostic ignored "-Wreturn-type"
#pragma GCC diagnostic ignored "-Wunused"
#pragma GCC diagnostic ignored "-Wunused-value"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-label"
#pragma GCC diagnostic ignored "-Wunused-result"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wfloat-conversion"
#pragma GCC diagnostic ignored "-Wfloat-equal"
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wbool-compare"
#pragma GCC diagnostic ignored "-Wbool-operation"
#pragma GCC diagnostic ignored "-Wint-in-bool-context"
#pragma GCC diagnostic ignored "-Wlogical-op"
#pragma GCC diagnostic ignored "-Wlogical-not-parentheses"
#pragma GCC diagnostic ignored "-Wtautological-compare"
#pragma GCC diagnostic ignored "-Wduplicated-branches"
#pragma GCC diagnostic ignored "-Wduplicated-cond"
#pragma GCC diagnostic ignored "-Wdiv-by-zero"
#pragma GCC diagnostic ignored "-Woverflow"
#pragma GCC diagnostic ignored "-Wshift-count-overflow"
#pragma GCC diagnostic ignored "-Wshift-count-negative"
#pragma GCC diagnostic ignored "-Wshift-negative-value"
#pragma GCC diagnostic ignored "-Wimplicit-fallthrough"
#pragma GCC diagnostic ignored "-Wswitch"
#pragma GCC diagnostic ignored "-Wswitch-unreachable"
#pragma GCC diagnostic ignored "-Wempty-body"
#pragma GCC diagnostic ignored "-Wmisleading-indentation"
#pragma GCC diagnostic ignored "-Wdangling-else"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Winit-self"
#pragma GCC diagnostic ignored "-Warray-bounds"
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wnonnull"
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#pragma GCC diagnostic ignored "-Waddress"
#pragma GCC diagnostic ignored "-Wnull-dereference"
#pragma GCC diagnostic ignored "-Wsequence-point"
#pragma GCC diagnostic ignored "-Wchar-subscripts"
#pragma GCC diagnostic ignored "-Wenum-compare"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wuseless-cast"
#pragma GCC diagnostic ignored "-Wzero-as-null-pointer-constant"
#pragma GCC diagnostic ignored "-Wredundant-decls"
#pragma GCC diagnostic ignored "-Wmissing-declarations"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Winline"
#pragma GCC diagnostic ignored "-Wsuggest-attribute=const"
#pragma GCC diagnostic ignored "-Wsuggest-attribute=pure"
#pragma GCC diagnostic ignored "-Wsuggest-attribute=cold"
#endif
#ifdef __cplusplus
extern "C" {
#endif
/* Names of our own, so that the declarations of the system's headers, which are not included, can differ. */
extern char *motif_getenv(const char *) __asm__("getenv");
extern int motif_open(const char *, int, ...) __asm__("open");
extern int motif_close(int) __asm__("close");
extern void *motif_mmap(void *, unsigned long, int, int, int, long) __asm__("mmap");
#ifdef __cplusplus
}
#endif
/* -1: not asked yet; -2: what is reached is noted; else the number of the active mutant, 0 for none. */
static int motif_active = -1;
static unsigned char *motif_notes;
__attribute__((unused, noinline, cold)) static int motif_ask(unsigned first) {
  int active = __atomic_load_n(&motif_active, __ATOMIC_ACQUIRE);
  if (active == -1) {
    const char *digits = motif_getenv("MOTIF_MUTANT");
    const char *file = motif_getenv("MOTIF_REACHED");
    active = 0;
    if (file && *file) {
      int opened = motif_open(file, 2 /* O_RDWR */);
      if (opened >= 0) {
        void *notes = motif_mmap(0, MOTIF_NOTES, 3 /* read and write */, 1 /* shared */, opened, 0);
        if (notes != (void *)-1) {
          __atomic_store_n(&motif_notes, (unsigned char *)notes, __ATOMIC_RELEASE);
          active = -2;
        }
        motif_close(opened);
      }
    } else if (digits) {
      while (*digits >= '0' && *digits <= '9') active = active * 10 + (*digits++ - '0');
    }
    __atomic_store_n(&motif_active, active, __ATOMIC_RELEASE);
  }
  if (active == -2) __atomic_store_n(motif_notes + first, (unsigned char)1, __ATOMIC_RELAXED);
  return active;
}
/* The first number is no mutant's: that it is noted says that what was built is run. */
__attribute__((unused, constructor)) static void motif_loaded(void) {
  if (__atomic_load_n(&motif_active, __ATOMIC_RELAXED) < 0) motif_ask(0);
}
/* Whether one of the `count` mutants from `first` on is active. */
__attribute__((unused)) static __inline__ int motif_at(unsigned first, unsigned count) {
  int active = __atomic_load_n(&motif_active, __ATOMIC_RELAXED);
  if (__builtin_expect(active < 0, 0)) active = motif_ask(first);
  return __builtin_expect((unsigned)active - first < count, 0);
}
__attribute__((unused)) static __inline__ int motif_is(unsigned number) {
  return (unsigned)__atomic_load_n(&motif_active, __ATOMIC_RELAXED) == number;
}
#endif
