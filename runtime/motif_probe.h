/* Used by code that is inserted into a project's own text: probes (src/probes), and mutants in place
 * (src/generate/in_place.rs). Such a text is compiled with this header first, which therefore includes nothing. */
#ifndef MOTIF_PROBE_H
#define MOTIF_PROBE_H

#ifdef __cplusplus
extern "C" {
#endif

/* A byte per place: provided by the worker, cleared before each run of the original, and read after it. */
extern __attribute__((visibility("default"))) unsigned char *motif_probes;

/* The active mutant, see motif.h. */
extern __attribute__((visibility("default"))) int motif_mutant;

#ifdef __cplusplus
}
#endif

/* Equal bits are equal, also of a NaN; +0 and -0 differ. */
static __inline__ __attribute__((unused)) int motif_float_differs(float a, float b) {
  unsigned left, right;
  __builtin_memcpy(&left, &a, sizeof left);
  __builtin_memcpy(&right, &b, sizeof right);
  return left != right;
}

static __inline__ __attribute__((unused)) int motif_double_differs(double a, double b) {
  unsigned long long left, right;
  __builtin_memcpy(&left, &a, sizeof left);
  __builtin_memcpy(&right, &b, sizeof right);
  return left != right;
}

/* A mark: adds a value to the sum of its place, of which each has four bytes of the notes (src/probes/trail.rs). */
static __inline__ __attribute__((unused)) void motif_trail(unsigned mark, const void *value, unsigned long size) {
  unsigned char *place = motif_probes + 4ul * mark;
  const unsigned char *bytes = (const unsigned char *)value;
  unsigned sum;
  unsigned long i;
  __builtin_memcpy(&sum, place, sizeof sum);
  if (!sum) sum = 0x811c9dc5u;
  for (i = 0; i < size; ++i) sum = (sum ^ bytes[i]) * 0x01000193u;
  if (!size) sum = (sum ^ 0x7fu) * 0x01000193u;
  __builtin_memcpy(place, &sum, sizeof sum);
}

/* Any NaN is equal to any other. */
#define MOTIF_TRAIL_OF(mark, place) motif_trail(mark, &(place), (place) != (place) ? 0 : sizeof(place))

#define MOTIF_TRAIL(mark, ...)                    \
  __extension__({                                 \
    __auto_type motif_value_here = (__VA_ARGS__); \
    MOTIF_TRAIL_OF(mark, motif_value_here);       \
    motif_value_here;                             \
  })

/* The probe must not change the floating-point flags that the program sees. */
static __inline__ __attribute__((unused)) unsigned motif_floats_kept(void) {
  unsigned flags = 0;
#if defined(MOTIF_SOLVER)
  /* It computes with numbers and has no flags. */
#elif defined(__x86_64__)
  __asm__ volatile("stmxcsr %0" : "=m"(flags) : : "memory");
#elif defined(__aarch64__)
  unsigned long long wide;
  __asm__ volatile("mrs %0, fpsr" : "=r"(wide) : : "memory");
  flags = (unsigned)wide;
#endif
  return flags;
}

static __inline__ __attribute__((unused)) void motif_floats_back(unsigned flags) {
#if defined(MOTIF_SOLVER)
  (void)flags;
#elif defined(__x86_64__)
  __asm__ volatile("ldmxcsr %0" : : "m"(flags) : "memory");
#elif defined(__aarch64__)
  unsigned long long wide = flags;
  __asm__ volatile("msr fpsr, %0" : : "r"(wide) : "memory");
#else
  (void)flags;
#endif
}

#endif
