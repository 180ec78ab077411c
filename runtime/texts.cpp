// Texts and rows of bytes that the original has compared with something else: what begins a file, names a chunk, or is
// a keyword is found where it was looked for (see comparisons.cpp, and Aschermann et al., REDQUEEN, NDSS 2019).
//
// The worker has the library's functions of comparison in its own name. Code that is loaded calls these, unless it
// defines a function of that name itself. Under AddressSanitizer the names are the sanitizer's, and nothing is kept.
#include "worker.hpp"

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define MOTIF_NO_TEXTS
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define MOTIF_NO_TEXTS
#endif

#include <ctype.h>
#include <string.h>

#include <algorithm>

namespace worker {
namespace {

// The last ones of a run.
constexpr uint32_t kKept = 32;
TextComparison kept[kKept];
uint32_t count = 0;
bool listening = false;

#if !defined(MOTIF_NO_TEXTS)

// What can be read for certain where the first byte was: the library may have read no more than the first that differ.
size_t readable(const void *from, size_t most) {
  constexpr uintptr_t kPage = 4096;
  return std::min({most, kTextMost, size_t(kPage - reinterpret_cast<uintptr_t>(from) % kPage)});
}

void note(const void *one, size_t one_size, const void *other, size_t other_size) {
  if (one_size + other_size == 0) return;
  TextComparison &it = kept[count++ % kKept];
  memcpy(it.text[0], one, one_size);
  memcpy(it.text[1], other, other_size);
  it.size[0] = static_cast<uint8_t>(one_size);
  it.size[1] = static_cast<uint8_t>(other_size);
}

void note_texts(const char *one, const char *other, size_t most) {
  note(one, strnlen(one, readable(one, most)), other, strnlen(other, readable(other, most)));
}

// Each is called before the worker has begun, too: a loader compares names.
template <class F>
int slowly(const char *one, const char *other, size_t most, bool is_text, F letter) {
  for (size_t i = 0; i < most; ++i) {
    const int a = letter(static_cast<unsigned char>(one[i])), b = letter(static_cast<unsigned char>(other[i]));
    if (a != b) return a - b;
    if (is_text && a == 0) break;
  }
  return 0;
}

int itself(int letter) { return letter; }

#endif

}  // namespace

void forget_texts(bool listens) {
  count = 0;
  listening = listens;
}

void keep_texts() { listening = false; }

bool some_text(const std::function<size_t(size_t)> &below, TextComparison *found) {
  if (count == 0) return false;
  const uint32_t there = std::min(count, kKept);
  *found = kept[(count - 1 - below(below(there) + 1)) % kKept];
  return true;
}

std::vector<TextComparison> all_texts() {
  std::vector<TextComparison> all;
  for (uint32_t i = 0; i < std::min(count, kKept); ++i) {
    const TextComparison &it = kept[(count - 1 - i) % kKept];
    const auto is_it = [&](const TextComparison &other) {
      return std::equal(it.text[0], it.text[0] + it.size[0], other.text[0], other.text[0] + other.size[0]) &&
             std::equal(it.text[1], it.text[1] + it.size[1], other.text[1], other.text[1] + other.size[1]);
    };
    if (std::none_of(all.begin(), all.end(), is_it)) all.push_back(it);
  }
  return all;
}

}  // namespace worker

#if !defined(MOTIF_NO_TEXTS)

namespace {
bool ready = false;
int (*real_memcmp)(const void *, const void *, size_t);
int (*real_strcmp)(const char *, const char *);
int (*real_strncmp)(const char *, const char *, size_t);
int (*real_strcasecmp)(const char *, const char *);
int (*real_strncasecmp)(const char *, const char *, size_t);

__attribute__((constructor)) void find_the_librarys() {
  real_memcmp = worker::next<decltype(real_memcmp)>("memcmp");
  real_strcmp = worker::next<decltype(real_strcmp)>("strcmp");
  real_strncmp = worker::next<decltype(real_strncmp)>("strncmp");
  real_strcasecmp = worker::next<decltype(real_strcasecmp)>("strcasecmp");
  real_strncasecmp = worker::next<decltype(real_strncasecmp)>("strncasecmp");
  ready = real_memcmp && real_strcmp && real_strncmp && real_strcasecmp && real_strncasecmp;
}
}  // namespace

#define MOTIF_COMPARES extern "C" __attribute__((visibility("default"))) int

MOTIF_COMPARES memcmp(const void *one, const void *other, size_t size) noexcept {
  using worker::slowly;
  if (!ready) return slowly(static_cast<const char *>(one), static_cast<const char *>(other), size, false, worker::itself);
  const int result = real_memcmp(one, other, size);
  if (worker::listening && result != 0) {
    worker::note(one, worker::readable(one, size), other, worker::readable(other, size));
  }
  return result;
}

MOTIF_COMPARES strcmp(const char *one, const char *other) noexcept {
  if (!ready) return worker::slowly(one, other, SIZE_MAX, true, worker::itself);
  const int result = real_strcmp(one, other);
  if (worker::listening && result != 0) worker::note_texts(one, other, SIZE_MAX);
  return result;
}

MOTIF_COMPARES strncmp(const char *one, const char *other, size_t size) noexcept {
  if (!ready) return worker::slowly(one, other, size, true, worker::itself);
  const int result = real_strncmp(one, other, size);
  if (worker::listening && result != 0) worker::note_texts(one, other, size);
  return result;
}

MOTIF_COMPARES strcasecmp(const char *one, const char *other) noexcept {
  if (!ready) return worker::slowly(one, other, SIZE_MAX, true, tolower);
  const int result = real_strcasecmp(one, other);
  if (worker::listening && result != 0) worker::note_texts(one, other, SIZE_MAX);
  return result;
}

MOTIF_COMPARES strncasecmp(const char *one, const char *other, size_t size) noexcept {
  if (!ready) return worker::slowly(one, other, size, true, tolower);
  const int result = real_strncasecmp(one, other, size);
  if (worker::listening && result != 0) worker::note_texts(one, other, size);
  return result;
}

#endif
