// A heap for the code under test alone: what a side damages or leaves behind is not the worker's, and is dropped with
// the side. So a crash costs no more than the jump out of it.
//
// Blocks lie one behind the other, each with a head that is checked as the library's heap checks its own. When no block
// of earlier sides is alive, or nothing that outlives a side points to one, the heap starts over: original and mutants
// find the same addresses.
#include "worker.hpp"

#include <errno.h>
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// glibc's list of the streams that are open, which nobody else has.
extern "C" {
extern FILE *_IO_list_all __attribute__((weak));
void _IO_un_link(FILE *) __attribute__((weak));
void _IO_link_in(FILE *) __attribute__((weak));
}

namespace worker {
namespace {

constexpr unsigned kRoomBits = 29;
constexpr size_t kRoom = size_t(1) << kRoomBits;
// Larger blocks have pages of their own, up to a number of them.
constexpr size_t kLargest = size_t(1) << 18;
constexpr size_t kPage = 4096;
constexpr size_t kApartMost = 256;
// Made accessible at a time: code that runs past the end of a block soon meets a fault.
constexpr size_t kStep = size_t(1) << 16;
// What may be left behind before it is asked who needs it; after the first sides, which set things up, it is asked at
// once.
constexpr size_t kLeftMost = size_t(1) << 20;
constexpr unsigned kAskedAtFirst = 16;
constexpr size_t kLists = 160;
// A larger heap is not copied for each side, nor one of which libraries keep more again and again.
constexpr size_t kSavedMost = size_t(1) << 20;
constexpr unsigned kKeptMoreMost = 16;
constexpr uint64_t kUsed = 0x6d6f74696675736bu, kFree = 0x6d6f746966726565u, kEnd = 0x6d6f746966656e64u;

struct Head {
  uint32_t list;
  // Bytes that were asked for.
  uint32_t size;
  uint64_t mark;
};

struct Apart {
  uint8_t *begin;
  size_t size;
};

// In pages of its own: no root, and out of reach.
struct Heap {
  uint8_t *begin, *kept, *top, *open;
  pthread_t thread;
  void *lists[kLists];
  // Blocks alive, but for those that are kept: below `kept`, and the first ones of those apart.
  size_t live;
  // Bytes that the side has asked for.
  size_t asked_for;
  Apart apart[kApartMost];
  size_t aparts, kept_aparts;
  unsigned asked;
  // It was left amid a change.
  volatile bool busy;
  // A jump left blocks that nobody frees.
  bool abandoned;
  // Other threads may hold blocks.
  bool pinned;
  bool fills;
  // What was kept when `restore_heap` was asked for, and how often more had to be kept since.
  uint8_t *saved;
  size_t saved_size;
  unsigned kept_more;
};

Heap *heap;
// Whether this thread's blocks come from here.
__thread bool own;

uint64_t mark_of(const void *block, uint64_t what) { return what ^ reinterpret_cast<uintptr_t>(block); }
Head *head_of(void *block) { return static_cast<Head *>(block) - 1; }
bool holds(const void *block) {
  return heap && block >= heap->begin && block < heap->begin + kRoom;
}

// What the library does where it finds its heap damaged.
[[noreturn]] void damaged() {
  if (in_side()) leave(kCrashed, SIGABRT);
  abort();
}

// As many bytes as the library gives for that many: code that uses the rest works here too.
size_t usable(size_t size) {
  const size_t whole = (size + 8 + 15) & ~size_t(15);
  return (whole < 32 ? 32 : whole) - 8;
}

// Blocks of up to a thousand bytes have a list for each size, larger ones four for each doubling.
size_t list_of(size_t &size) {
  const size_t whole = usable(size) + 8;
  if (whole <= 1024) {
    size = whole - 8;
    return whole / 16;
  }
  const unsigned shift = 63 - static_cast<unsigned>(__builtin_clzll(whole - 1)) - 2;
  const size_t quarters = (whole - 1) >> shift;
  size = ((quarters + 1) << shift) - 8;
  return 65 + (shift - 8) * 4 + (quarters & 3);
}

size_t size_of(const Head &head) {
  if (head.list <= 64) return head.list * 16 - 8;
  const unsigned shift = (head.list - 65) / 4 + 8;
  return ((4 + (head.list - 65) % 4 + 1) << shift) - 8;
}

void set_end(void *block, size_t size) {
  const uint64_t end = mark_of(block, kEnd);
  memcpy(static_cast<uint8_t *>(block) + size, &end, sizeof end);
}

bool has_end(const void *block, size_t size) {
  uint64_t end;
  memcpy(&end, static_cast<const uint8_t *>(block) + size, sizeof end);
  return end == mark_of(block, kEnd);
}

bool open_up_to(uint8_t *end) {
  if (end <= heap->open) return true;
  if (end > heap->begin + kRoom) return false;
  const size_t more = (static_cast<size_t>(end - heap->open) + kStep - 1) / kStep * kStep;
  if (mprotect(heap->open, more, PROT_READ | PROT_WRITE) != 0) return false;
  heap->open += more;
  return true;
}

// A block with pages of its own, which are zero.
void *take_apart(size_t size, size_t aligned) {
  if (aligned > kPage || heap->aparts == kApartMost || size > SIZE_MAX / 2) return nullptr;
  size = (size + kPage - 1) & ~(kPage - 1);
  void *const block = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (block == MAP_FAILED) return nullptr;
  heap->apart[heap->aparts++] = {static_cast<uint8_t *>(block), size};
  ++heap->live;
  heap->asked_for += size;
  return block;
}

Apart *find_apart(const void *block) {
  if (!heap || reinterpret_cast<uintptr_t>(block) % kPage != 0) return nullptr;
  for (size_t i = heap->aparts; i-- > 0;) {
    if (heap->apart[i].begin == block) return &heap->apart[i];
  }
  return nullptr;
}

void give_back_apart(Apart &apart) {
  if (!pthread_equal(pthread_self(), heap->thread)) return;
  munmap(apart.begin, apart.size);
  Apart *const first = heap->apart + heap->kept_aparts;
  if (&apart < first) {
    // Its place stays.
    apart = {nullptr, 0};
    return;
  }
  apart = heap->apart[--heap->aparts];
  --heap->live;
}

// NULL: the library's turn.
void *take(size_t size, size_t aligned) {
  if (size > kLargest || aligned > kPage) return take_apart(size, aligned);
  heap->busy = true;
  const uint32_t asked_for = static_cast<uint32_t>(size);
  const size_t list = list_of(size);
  void *block = aligned <= 16 ? heap->lists[list] : nullptr;
  if (block) {
    if (!holds(block) || head_of(block)->mark != mark_of(block, kFree)) damaged();
    memcpy(&heap->lists[list], block, sizeof(void *));
  } else {
    const uintptr_t from = reinterpret_cast<uintptr_t>(heap->top) + sizeof(Head);
    block = reinterpret_cast<void *>((from + aligned - 1) & ~(uintptr_t(aligned) - 1));
    uint8_t *const end = static_cast<uint8_t *>(block) + size + 8;
    if (!open_up_to(end)) {
      heap->busy = false;
      return nullptr;
    }
    heap->top = end;
  }
  *head_of(block) = {static_cast<uint32_t>(list), asked_for, mark_of(block, kUsed)};
  set_end(block, size);
  if (heap->fills || motif_blocks_compared) memset(block, 0, size);
  ++heap->live;
  heap->asked_for += size;
  heap->busy = false;
  return block;
}

void give_back(void *block) {
  Head &head = *head_of(block);
  if (reinterpret_cast<uintptr_t>(block) % 16 || block < heap->begin + sizeof(Head) ||
      head.mark != mark_of(block, kUsed) || head.list >= kLists || !has_end(block, size_of(head))) {
    damaged();
  }
  // Another thread's: it is not used again.
  if (!pthread_equal(pthread_self(), heap->thread)) return;
  heap->busy = true;
  head.mark = mark_of(block, kFree);
  if (heap->fills) memset(block, 0xff, size_of(head));
  if (block >= heap->kept) {
    memcpy(block, &heap->lists[head.list], sizeof(void *));
    heap->lists[head.list] = block;
    --heap->live;
  }
  heap->busy = false;
}

// ---- what outlives a side ------------------------------------------------------------------------------------------

bool points_into(const void *from, size_t size, uintptr_t low, uintptr_t high) {
  const uintptr_t *word = reinterpret_cast<const uintptr_t *>((reinterpret_cast<uintptr_t>(from) + 7) & ~uintptr_t(7));
  const uintptr_t *const end = reinterpret_cast<const uintptr_t *>(static_cast<const uint8_t *>(from) + size);
  // Whether any word of a group begins like an address of the heap is asked first, which compilers turn into vectors.
  constexpr ptrdiff_t kGroup = 32;
  const uint32_t first = static_cast<uint32_t>(low >> kRoomBits);
  const uint32_t others = static_cast<uint32_t>((high - 1) >> kRoomBits) - first;
  if (low == high) return false;
  while (word + 1 <= end) {
    const ptrdiff_t count = end - word < kGroup ? end - word : kGroup;
    uint32_t any = 0;
    for (ptrdiff_t i = 0; i < count; ++i) any |= static_cast<uint32_t>(word[i] >> kRoomBits) - first <= others;
    for (ptrdiff_t i = 0; any && i < count; ++i) {
      if (word[i] - low < high - low) return true;
    }
    word += count;
  }
  return false;
}

struct Roots {
  uintptr_t low, high;
  bool first, found;
  bool are_found(const void *from, size_t size) {
    found = found || points_into(from, size, low, high);
    const Apart *const last = heap->apart + heap->aparts;
    for (const Apart *apart = heap->apart + heap->kept_aparts; apart != last && !found; ++apart) {
      const uintptr_t begin = reinterpret_cast<uintptr_t>(apart->begin);
      found = points_into(from, size, begin, begin + apart->size);
    }
    return found;
  }
};

int look_for_roots(dl_phdr_info *info, size_t, void *to) {
  Roots &roots = *static_cast<Roots *>(to);
  // The worker itself comes first: it keeps no pointer to a block of a side.
  if (roots.first) {
    roots.first = false;
    return 0;
  }
  // What is constant once it is linked points to no block.
  ElfW(Addr) from = 0, to_end = 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type != PT_GNU_RELRO) continue;
    from = part.p_vaddr;
    // (The loader protects whole pages.)
    to_end = (part.p_vaddr + part.p_memsz) & ~(ElfW(Addr)(kPage) - 1);
  }
  for (int i = 0; i < info->dlpi_phnum && !roots.found; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type == PT_TLS && info->dlpi_tls_data) roots.are_found(info->dlpi_tls_data, part.p_memsz);
    if (part.p_type != PT_LOAD || !(part.p_flags & PF_W)) continue;
    const ElfW(Addr) end = part.p_vaddr + part.p_memsz;
    const bool is_relro = part.p_vaddr == from && to_end > from;
    const ElfW(Addr) begin = is_relro ? (to_end < end ? to_end : end) : part.p_vaddr;
    roots.are_found(reinterpret_cast<void *>(info->dlpi_addr + begin), end - begin);
  }
  return roots.found;
}

// Whether variables of any library or of this thread, or kept blocks, point to the blocks of sides.
bool is_pointed_to() {
  Roots roots = {reinterpret_cast<uintptr_t>(heap->kept), reinterpret_cast<uintptr_t>(heap->top), true, false};
  constexpr size_t kThread = 2048;
  roots.are_found(heap->begin, static_cast<size_t>(heap->kept - heap->begin));
  for (size_t i = 0; i < heap->kept_aparts; ++i) roots.are_found(heap->apart[i].begin, heap->apart[i].size);
  for (const Stretch &stretch : thread_values()) roots.are_found(stretch.at, stretch.size);
  if (!roots.are_found(reinterpret_cast<void *>(pthread_self()), kThread)) dl_iterate_phdr(look_for_roots, &roots);
  return roots.found;
}

// Whether a stream of a side, whole and open, stands there.
bool is_stream(FILE *stream) {
  uint8_t *const at = reinterpret_cast<uint8_t *>(stream);
  if (at < heap->kept || at >= heap->top || reinterpret_cast<uintptr_t>(at) % 16) return false;
  const Head &head = *head_of(at);
  if (head.mark != mark_of(at, kUsed) || head.list >= kLists || head.size < sizeof(FILE)) return false;
  const uint8_t *const lock = static_cast<const uint8_t *>(stream->_lock);
  constexpr unsigned kMagic = 0xFBAD0000;
  return (static_cast<unsigned>(stream->_flags) & 0xFFFF0000) == kMagic && lock > at && lock < at + head.size;
}

// The streams that sides have opened and not closed, the first ones of all: the library's list of streams alone needs
// nobody's blocks.
std::vector<FILE *> open_streams() {
  constexpr size_t kStreamsMost = 4096;
  std::vector<FILE *> found;
  if (!&_IO_list_all || !_IO_un_link || !_IO_link_in) return found;
  for (FILE *stream = _IO_list_all; is_stream(stream) && found.size() < kStreamsMost; stream = stream->_chain) {
    found.push_back(stream);
  }
  return found;
}

bool is_needed() {
  const std::vector<FILE *> streams = open_streams();
  for (FILE *stream : streams) _IO_un_link(stream);
  const bool needed = is_pointed_to();
  for (FILE *stream : streams) {
    if (needed) _IO_link_in(stream);
    else if (stream->_fileno > STDERR_FILENO) close(stream->_fileno);
  }
  return needed;
}

void start_over(bool keeps) {
  uint8_t *const from = keeps ? heap->top : heap->kept;
  while (!keeps && heap->aparts > heap->kept_aparts) {
    const Apart &last = heap->apart[--heap->aparts];
    munmap(last.begin, last.size);
  }
  heap->kept_aparts = heap->aparts;
  // What was opened for one large block would let others run far past their ends.
  uint8_t *const last = from + 4 * kStep;
  if (heap->abandoned && heap->open > last) {
    uint8_t *const end = heap->begin + (static_cast<size_t>(last - heap->begin) + kStep - 1) / kStep * kStep;
    if (heap->open > end && mprotect(end, static_cast<size_t>(heap->open - end), PROT_NONE) == 0) {
      madvise(end, static_cast<size_t>(heap->open - end), MADV_DONTNEED);
      heap->open = end;
    }
  }
  memset(heap->lists, 0, sizeof heap->lists);
  heap->kept = heap->top = from;
  heap->live = 0;
  heap->abandoned = heap->busy = false;
}

bool is_untouched() { return heap->top == heap->kept && heap->aparts == heap->kept_aparts; }

}  // namespace

void make_heap(bool fills) {
#ifndef MOTIF_SANITIZER
  heap = static_cast<Heap *>(guarded_pages(sizeof(Heap)));
  void *memory = mmap(nullptr, 2 * kRoom, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!heap || memory == MAP_FAILED) fail("no memory");
  ignore_memory(heap, sizeof *heap);
  // Aligned to its size, for the search of pointers to it.
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(memory) + kRoom - 1) & ~(kRoom - 1);
  // The rest would count against the limit of the worker's memory.
  const size_t before = begin - reinterpret_cast<uintptr_t>(memory);
  if (before) munmap(memory, before);
  munmap(reinterpret_cast<void *>(begin + kRoom), kRoom - before);
  heap->begin = heap->kept = heap->top = heap->open = reinterpret_cast<uint8_t *>(begin);
  heap->thread = pthread_self();
  heap->fills = fills;
#else
  (void)fills;
#endif
}

void use_heap(bool whether) { own = whether && heap; }

// ---- how large blocks are --------------------------------------------------------------------------------------------

namespace {

// Blocks of the library's heap, by their addresses, where sides have none of their own. So many are known at a time.
constexpr size_t kKnown = size_t(1) << 14;
struct Block {
  const void *at;
  size_t size;
};
Block *known;
pthread_t known_by;
// What nobody has written to is alike in all processes, but for those that fill it otherwise.
int known_fill;

bool is_noting() { return known && pthread_equal(pthread_self(), known_by); }

// A block is in one of so many places, from that of its address on.
constexpr size_t kLookedAt = 64;

// The place that has `what`, among those where `at` may be.
Block *find_place(const void *at, const void *what) {
  const size_t first = (reinterpret_cast<uintptr_t>(at) >> 4) * 0x9e3779b97f4a7c15u % kKnown;
  for (size_t i = 0; i < kLookedAt; ++i) {
    Block &block = known[(first + i) % kKnown];
    if (block.at == what) return &block;
  }
  return nullptr;
}

Block *find_known(const void *at) { return at && is_noting() ? find_place(at, at) : nullptr; }

// What size that block is; 0 where it is not known.
size_t known_size(const void *at) {
  const Block *const block = find_known(at);
  return block ? block->size : 0;
}

size_t size_of_block(const void *at) {
  if (heap) {
    const bool begins = holds(at) && reinterpret_cast<uintptr_t>(at) % 16 == 0 && at >= heap->begin + sizeof(Head);
    if (!begins || at >= heap->top) return 0;
    const Head &head = *head_of(const_cast<void *>(at));
    return head.mark == mark_of(at, kUsed) ? head.size : 0;
  }
  return known_size(at);
}

// A block of which the first `kept` bytes have a value.
void *note_block(void *block, size_t size, size_t kept = 0) {
  if (!block || !is_noting()) return block;
  if (kept < size) memset(static_cast<uint8_t *>(block) + kept, known_fill, size - kept);
  Block *place = find_known(block);
  // Where it was not known, a free place; without any, it is not compared.
  if (!place) place = find_place(block, nullptr);
  if (place) *place = {block, size};
  return block;
}

void forget_block(const void *block) {
  if (Block *const place = find_known(block)) *place = {nullptr, 0};
}

}  // namespace

void know_blocks(int fill) {
#ifndef MOTIF_SANITIZER
  motif_block_size = size_of_block;
  known_fill = fill;
  if (heap || known) return;
  known = static_cast<Block *>(guarded_pages(kKnown * sizeof(Block)));
  known_by = pthread_self();
#else
  (void)fill;
#endif
}

void abandon_heap() {
  if (heap) heap->abandoned = true;
}

bool restore_heap() {
  if (!heap || heap->pinned || heap->kept_aparts || heap->kept_more > kKeptMoreMost) return false;
  const size_t size = static_cast<size_t>(heap->kept - heap->begin);
  if (size > kSavedMost) return false;
  if (!heap->saved) heap->saved = static_cast<uint8_t *>(guarded_pages(kSavedMost));
  ignore_memory(heap->saved, kSavedMost);
  memcpy(heap->saved, heap->begin, heap->saved_size = size);
  return true;
}

void leave_heap() {
  memcpy(heap->begin, heap->saved, heap->saved_size);
  heap->saved = nullptr;
}

bool is_heap_restored() { return heap && heap->saved && heap->kept_more <= kKeptMoreMost && !heap->pinned; }

size_t heap_asked_for() { return heap ? heap->asked_for : 0; }

void begin_heap() {
  if (!heap) return;
  heap->asked_for = 0;
  if (heap->pinned) {
    // What it had freed is not used again if the lists may be damaged.
    if (heap->abandoned || heap->busy) memset(heap->lists, 0, sizeof heap->lists);
    heap->abandoned = heap->busy = false;
    return;
  }
  if (heap->saved) {
    memcpy(heap->begin, heap->saved, heap->saved_size);
    if (is_untouched()) return;
    const bool is_clean = heap->live == 0 && !heap->abandoned && !heap->busy;
    const bool needed = !is_clean && is_needed();
    start_over(needed);
    if (!needed) return;
    ++heap->kept_more;
    if (!restore_heap()) heap->kept_more = kKeptMoreMost + 1;
    return;
  }
  if (is_untouched()) return;
  if (heap->abandoned || heap->busy) {
    // The lists may be damaged.
    memset(heap->lists, 0, sizeof heap->lists);
    heap->busy = false;
  } else if (heap->live == 0) {
    start_over(false);
    return;
  }
  // (The more is kept, the longer it takes to look through it.)
  const size_t kept = static_cast<size_t>(heap->kept - heap->begin);
  const size_t some = kept > kLeftMost ? kept : kLeftMost;
  const size_t most = some < kRoom / 16 ? some : kRoom / 16;
  const bool leaves_files = &_IO_list_all && is_stream(_IO_list_all);
  const bool is_much = static_cast<size_t>(heap->top - heap->kept) > most || heap->aparts > heap->kept_aparts;
  if (!is_much && !leaves_files && (heap->abandoned || heap->asked >= kAskedAtFirst)) return;
  heap->asked += !is_much;
  start_over(is_needed());
}

void keep_heap() {
  if (heap) start_over(true);
}

bool writes_to_kept(const std::function<void()> &run) {
  keep_heap();
  if (heap && (heap->kept_aparts || static_cast<size_t>(heap->kept - heap->begin) > kSavedMost)) return true;
  const std::vector<uint8_t> before(heap ? heap->begin : nullptr, heap ? heap->kept : nullptr);
  run();
  return !before.empty() && memcmp(before.data(), heap->begin, before.size()) != 0;
}

}  // namespace worker

#ifndef MOTIF_SANITIZER

// ---- what everybody finds instead of the library's ---------------------------------------------------------------

extern "C" {

void *__libc_malloc(size_t);
void __libc_free(void *);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

#define MOTIF_SEEN __attribute__((visibility("default")))

MOTIF_SEEN void *malloc(size_t size) noexcept {
  void *const block = worker::own ? worker::take(size, 16) : nullptr;
  return block ? block : worker::note_block(__libc_malloc(size), size);
}
MOTIF_SEEN void free(void *block) noexcept {
  if (worker::holds(block)) return worker::give_back(block);
  if (worker::Apart *const apart = worker::find_apart(block)) return worker::give_back_apart(*apart);
  worker::forget_block(block);
  __libc_free(block);
}
MOTIF_SEEN void *calloc(size_t count, size_t size) noexcept {
  size_t whole;
  if (__builtin_mul_overflow(count, size, &whole)) return __libc_calloc(count, size);
  if (!worker::own) return worker::note_block(__libc_calloc(count, size), whole, whole);
  void *const block = worker::take(whole, 16);
  if (!block) return __libc_calloc(count, size);
  return worker::holds(block) ? memset(block, 0, whole) : block;
}
MOTIF_SEEN void *realloc(void *block, size_t size) noexcept {
  if (!block) return malloc(size);
  if (!worker::holds(block) && !worker::find_apart(block)) {
    const size_t before = worker::known_size(block);
    void *const other = __libc_realloc(block, size);
    // Where it fails, the block stays.
    if (other || size == 0) worker::forget_block(block);
    return worker::note_block(other, size, before ? before : size);
  }
  if (size == 0) {
    free(block);
    return nullptr;
  }
  const size_t before = malloc_usable_size(block);
  if (size <= before && size > before / 2) {
    if (worker::holds(block)) worker::head_of(block)->size = static_cast<uint32_t>(size);
    return block;
  }
  void *const other = malloc(size);
  if (!other) return nullptr;
  memcpy(other, block, size < before ? size : before);
  free(block);
  return other;
}
MOTIF_SEEN void *memalign(size_t aligned, size_t size) noexcept {
  const bool is_power = aligned && !(aligned & (aligned - 1));
  void *const block = worker::own && is_power ? worker::take(size, aligned) : nullptr;
  return block ? block : worker::note_block(__libc_memalign(aligned, size), size);
}
MOTIF_SEEN void *aligned_alloc(size_t aligned, size_t size) noexcept { return memalign(aligned, size); }
MOTIF_SEEN int posix_memalign(void **to, size_t aligned, size_t size) noexcept {
  if (aligned < sizeof(void *) || aligned & (aligned - 1)) return EINVAL;
  void *const block = memalign(aligned, size);
  if (block) *to = block;
  return block ? 0 : ENOMEM;
}
MOTIF_SEEN void *valloc(size_t size) noexcept { return memalign(4096, size); }
MOTIF_SEEN void *pvalloc(size_t size) noexcept { return memalign(4096, (size + 4095) & ~size_t(4095)); }
// Workers end without ceremony: what would be done at the end of the program or of the thread is not even noted.
int __cxa_atexit(void (*)(void *), void *, void *) noexcept;
int __cxa_thread_atexit_impl(void (*)(void *), void *, void *) noexcept;
MOTIF_SEEN int __cxa_atexit(void (*run)(void *), void *with, void *of) noexcept {
  static const auto real = worker::next<decltype(&__cxa_atexit)>("__cxa_atexit");
  return worker::own ? 0 : real(run, with, of);
}
MOTIF_SEEN int __cxa_thread_atexit_impl(void (*run)(void *), void *with, void *of) noexcept {
  static const auto real = worker::next<decltype(&__cxa_thread_atexit_impl)>("__cxa_thread_atexit_impl");
  return worker::own ? 0 : real(run, with, of);
}

MOTIF_SEEN size_t malloc_usable_size(void *block) noexcept {
  if (worker::holds(block)) return worker::size_of(*worker::head_of(block));
  if (const worker::Apart *const apart = worker::find_apart(block)) return apart->size;
  static const auto real = worker::next<size_t (*)(void *)>("malloc_usable_size");
  return block ? real(block) : 0;
}

// What a thread is made of outlives the side, and so may what it was given.
MOTIF_SEEN int pthread_create(pthread_t *thread, const pthread_attr_t *how, void *(*run)(void *), void *with) noexcept {
  static const auto real = worker::next<decltype(&pthread_create)>("pthread_create");
  const bool was = worker::own;
  worker::own = false;
  const int answer = real(thread, how, run, with);
  worker::own = was;
  if (was) worker::heap->pinned = true;
  worker::note_thread();
  return answer;
}

}  // extern "C"

#endif
