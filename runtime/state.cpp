// Loads units and images, and restores their global variables.
#include "worker.hpp"

#include <algorithm>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern "C" void *__tls_get_addr(void *index);

namespace worker {
namespace {

// Writable sections that are not variables of the program.
bool is_variables(const char *name) {
  for (const char *other : {".got", ".got.plt", ".dynamic", ".init_array", ".fini_array", ".ctors", ".dtors", ".jcr",
                            ".tm_clone_table", ".preinit_array"}) {
    if (strcmp(name, other) == 0) return false;
  }
  return strncmp(name, ".data.rel.ro", 12) != 0 && strncmp(name, "__sancov", 8) != 0 && strncmp(name, "asan_", 5) != 0;
}

// Section headers distinguish variables from counters and tables; program headers do not.
void read_sections(const std::vector<uint8_t> &file, uintptr_t base, Module &module) {
  ElfW(Ehdr) head;
  if (file.size() < sizeof head) return;
  memcpy(&head, file.data(), sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(ElfW(Shdr))) return;
  const auto section = [&](size_t index, ElfW(Shdr) &to) {
    const size_t at = head.e_shoff + index * sizeof to;
    if (index >= head.e_shnum || at + sizeof to > file.size()) return false;
    memcpy(&to, file.data() + at, sizeof to);
    return true;
  };
  ElfW(Shdr) names;
  if (!section(head.e_shstrndx, names) || names.sh_offset + names.sh_size > file.size()) return;
  for (size_t i = 0; i < head.e_shnum; ++i) {
    ElfW(Shdr) one;
    if (!section(i, one) || one.sh_name >= names.sh_size) continue;
    if (!(one.sh_flags & SHF_ALLOC) || !(one.sh_flags & SHF_WRITE) || one.sh_size == 0) continue;
    const char *name = reinterpret_cast<const char *>(file.data() + names.sh_offset + one.sh_name);
    const Stretch stretch = {reinterpret_cast<uint8_t *>(base + one.sh_addr), one.sh_size};
    if (strcmp(name, "__sancov_cntrs") == 0) module.counters.push_back(stretch);
    else if (!(one.sh_flags & SHF_TLS) && is_variables(name)) module.data.push_back(stretch);
  }
}

struct TlsIndex {
  size_t module;
  size_t offset;
};

struct TlsSearch {
  uintptr_t base;
  size_t size;
};

int find_tls(dl_phdr_info *info, size_t, void *search_in) {
  TlsSearch *search = static_cast<TlsSearch *>(search_in);
  if (info->dlpi_addr != search->base) return 0;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_TLS) search->size = info->dlpi_phdr[i].p_memsz;
  }
  return 1;
}

int note_image(dl_phdr_info *info, size_t, void *ranges) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &part = info->dlpi_phdr[i];
    if (part.p_type != PT_LOAD) continue;
    const uintptr_t from = info->dlpi_addr + part.p_vaddr;
    static_cast<std::vector<std::pair<uintptr_t, uintptr_t>> *>(ranges)->push_back({from, from + part.p_memsz});
  }
  return 0;
}

std::vector<std::pair<uintptr_t, uintptr_t>> ignored;

using Ranges = std::vector<std::pair<uintptr_t, uintptr_t>>;

bool in(const Ranges &ranges, uintptr_t value) {
  for (const auto &range : ranges) {
    if (value >= range.first && value < range.second) return true;
  }
  return false;
}

// The variables of all units and images; the path of one that is being loaded.
Ranges variables;
const char *loading;

// Private memory that belongs to no file.
template <class F>
void for_each_mapping(F tell) {
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return;
  char line[512];
  while (fgets(line, sizeof line, maps)) {
    unsigned long from = 0, to = 0, inode = 0;
    char rights[5] = "", path[256] = "";
    if (sscanf(line, "%lx-%lx %4s %*s %*s %lu %255s", &from, &to, rights, &inode, path) < 4) continue;
    if (strncmp(rights, "rw-p", 4) != 0 || inode != 0) continue;
    if (path[0] == 0 || strcmp(path, "[heap]") == 0) tell(from, to, path);
  }
  fclose(maps);
}

// Knows the addresses of heap memory.
class Heap {
 public:
  bool holds(uintptr_t value) {
    if (value < 0x10000 || value >> 47 || value % 8) return false;
    // The memory map is read only now and then: it takes as long as thousands of inputs.
    if (asked_++ % 4096 == 0) read();
    if (in(images_, value) || in(ignored, value)) return false;
    return in(ranges_, value) || (value >= break_ && value < reinterpret_cast<uintptr_t>(sbrk(0)));
  }

 private:
  void read() {
    ranges_.clear();
    images_.clear();
    dl_iterate_phdr(note_image, &images_);
    break_ = UINTPTR_MAX;
    for_each_mapping([this](uintptr_t from, uintptr_t to, const char *path) {
      if (strcmp(path, "[heap]") == 0) break_ = from;
      ranges_.push_back({from, to});
    });
  }

  uint64_t asked_ = 0;
  Ranges ranges_, images_;
  uintptr_t break_ = UINTPTR_MAX;
};

Heap heap;

// The memory at the call of note_memory().
Ranges noted;

}  // namespace

void note_memory() {
  noted.clear();
  for_each_mapping([](uintptr_t from, uintptr_t to, const char *) { noted.push_back({from, to}); });
}

void keep_from_children() {
  Ranges fresh;
  for_each_mapping([&fresh](uintptr_t from, uintptr_t to, const char *path) {
    // Small blocks are mixed with the unit's.
    if (path[0] != 0) return;
    // Adjacent mappings are reported as one: subtract the earlier ones.
    for (const auto &old : noted) {
      if (old.first >= to || old.second <= from) continue;
      if (old.first > from) fresh.push_back({from, old.first});
      from = old.second < to ? old.second : to;
    }
    if (from < to) fresh.push_back({from, to});
  });
  for (const auto &range : fresh) {
    madvise(reinterpret_cast<void *>(range.first), range.second - range.first, MADV_DONTFORK);
  }
}

namespace {

// In a shared object with several units, `NAME.3.so` is the third: its symbols end in `_3`.
std::string which_unit(const char *path) {
  const char *end = strrchr(path, '.');
  if (!end || strcmp(end, ".so") != 0) return "";
  const char *digits = end;
  while (digits > path && digits[-1] >= '0' && digits[-1] <= '9') --digits;
  if (digits == end || digits == path || digits[-1] != '.') return "";
  return "_" + std::string(digits, end);
}

// What nobody can write to of the images, where literals are.
Ranges constants;

int note_constants(dl_phdr_info *info, size_t, void *) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr) &header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || (header.p_flags & (PF_R | PF_W)) != PF_R) continue;
    const uintptr_t from = info->dlpi_addr + header.p_vaddr;
    constants.push_back({from, from + header.p_memsz});
  }
  return 0;
}

// Variables with a name among them: an array may have no zero at its end. Literals have no name.
Ranges named;

void note_named(const std::vector<uint8_t> &file, uintptr_t base) {
  ElfW(Ehdr) head;
  if (file.size() < sizeof head) return;
  memcpy(&head, file.data(), sizeof head);
  if (memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(ElfW(Shdr))) return;
  for (size_t i = 0; i < head.e_shnum; ++i) {
    ElfW(Shdr) section;
    const size_t at = head.e_shoff + i * sizeof section;
    if (at + sizeof section > file.size()) return;
    memcpy(&section, file.data() + at, sizeof section);
    if (section.sh_type != SHT_SYMTAB || section.sh_offset + section.sh_size > file.size()) continue;
    for (size_t offset = 0; offset + sizeof(ElfW(Sym)) <= section.sh_size; offset += sizeof(ElfW(Sym))) {
      ElfW(Sym) symbol;
      memcpy(&symbol, file.data() + section.sh_offset + offset, sizeof symbol);
      const uintptr_t from = base + symbol.st_value;
      const bool is_object = (symbol.st_info & 0xf) == STT_OBJECT && symbol.st_size != 0;
      const auto is_constant = [from](const auto &range) { return from >= range.first && from < range.second; };
      if (!is_object || std::none_of(constants.begin(), constants.end(), is_constant)) continue;
      named.push_back({from, from + symbol.st_size});
    }
  }
}

size_t constant_text(const char *text) {
  constexpr size_t kLongest = 512;
  const auto at = reinterpret_cast<uintptr_t>(text);
  const auto holds = [at](const auto &range) { return at >= range.first && at < range.second; };
  const auto constant = std::find_if(constants.begin(), constants.end(), holds);
  if (constant == constants.end()) return 0;
  const auto variable = std::find_if(named.begin(), named.end(), holds);
  const size_t most = std::min(kLongest, (variable == named.end() ? constant->second : variable->second) - at);
  const size_t length = strnlen(text, most);
  return length < most ? length + 1 : 0;
}

// The bytes from there to the end of a constant with a name, as tables are.
size_t constant_size(const void *pointer) {
  const auto at = reinterpret_cast<uintptr_t>(pointer);
  const auto holds = [at](const auto &range) { return at >= range.first && at < range.second; };
  const auto variable = std::find_if(named.begin(), named.end(), holds);
  return variable == named.end() ? 0 : variable->second - at;
}

void *find(void *handle, const char *name, const std::string &which) {
  void *of_several = which.empty() ? nullptr : dlsym(handle, (name + which).c_str());
  return of_several ? of_several : dlsym(handle, name);
}

}  // namespace

bool load(const char *path, Module &module, std::string &error) {
  // What it makes while it is loaded leads to what sides make.
  use_heap(true);
  loading = path;
  void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  loading = nullptr;
  use_heap(false);
  if (!handle) {
    error = dlerror();
    return false;
  }
  const std::string which = which_unit(path);
  module.unit = static_cast<const motif_unit *>(find(handle, "motif_the_unit", which));
  module.set_mutant = reinterpret_cast<void (*)(int)>(find(handle, "motif_set_mutant", which));
  if (!module.unit || module.unit->abi != MOTIF_ABI || !module.unit->original) {
    error = std::string(path) + ": no unit of this version in it";
    return false;
  }
  link_map *map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0) return true;
  const std::vector<uint8_t> file = read_file(path);
  read_sections(file, map->l_addr, module);
  constants.clear();
  dl_iterate_phdr(note_constants, nullptr);
  note_named(file, map->l_addr);
  motif_constant_text = constant_text;
  motif_constant_size = constant_size;
  TlsSearch search = {map->l_addr, 0};
  dl_iterate_phdr(find_tls, &search);
  TlsIndex index = {0, 0};
  if (search.size && dlinfo(handle, RTLD_DI_TLS_MODID, &index.module) == 0 && index.module) {
    // Asking for the address allocates this thread's variables, which otherwise happens on first use.
    module.data.push_back({static_cast<uint8_t *>(__tls_get_addr(&index)), search.size});
  }
  // The active mutant is not the unit's state.
  const uint8_t *active = static_cast<const uint8_t *>(dlsym(handle, "motif_mutant"));
  for (size_t i = 0; active && i < module.data.size(); ++i) {
    const Stretch whole = module.data[i];
    if (active < whole.at || active + sizeof(int) > whole.at + whole.size) continue;
    const size_t before = static_cast<size_t>(active - whole.at), behind = before + sizeof(int);
    module.data[i].size = before;
    module.data.push_back({whole.at + behind, whole.size - behind});
    break;
  }
  for (const Stretch &stretch : module.data) {
    const uintptr_t from = reinterpret_cast<uintptr_t>(stretch.at);
    variables.push_back({from, from + stretch.size});
  }
  return true;
}

Mutated Images::find(const std::string &side, Module &unit) {
  const size_t behind = side.find(':') + 1;
  const int number = atoi(side.c_str() + behind);
  if (side.compare(0, behind, "copy:") == 0) {
    if (!unit.unit->copy || number < 0 || static_cast<uint32_t>(number) > unit.unit->mutants) {
      fail("no such mutant: " + side);
    }
    return {unit.unit->copy, &unit, number};
  }
  const size_t path = side.find(':', behind) + 1;
  if (side.compare(0, behind, "image:") != 0 || number < 0 || path == 0) fail("no such side: " + side);
  for (auto &image : images_) {
    if (side.compare(path, std::string::npos, image.first) == 0) {
      return {image.second.unit->original, &image.second, number};
    }
  }
  images_.emplace_back(side.substr(path), Module());
  Module &module = images_.back().second;
  std::string error;
  if (!load(side.c_str() + path, module, error)) fail(error);
  return {module.unit->original, &module, number};
}

State::State() {
  for (const Stretch &stretch : thread_values()) watch(stretch);
}

void State::watch(const Module &module) {
  for (const Stretch &stretch : module.data) {
    watch(stretch);
    size_ += stretch.size;
  }
}

void State::watch(const Stretch &stretch) {
  if (stretch.size == 0) return;
  saved_.push_back({stretch, std::vector<uint8_t>(stretch.size), {}});
}

bool is_put_back(const void *at) {
  Dl_info object;
  if (loading && dladdr(at, &object)) return object.dli_fname && strcmp(object.dli_fname, loading) == 0;
  return in(variables, reinterpret_cast<uintptr_t>(at));
}

void ignore_memory(const void *at, size_t size) {
  const uintptr_t from = reinterpret_cast<uintptr_t>(at);
  ignored.push_back({from, from + size});
}

constexpr size_t kBlock = 128;

void State::save() {
  for (Saved &saved : saved_) {
    memcpy(saved.before.data(), saved.now.at, saved.now.size);
    saved.dirty.assign((saved.now.size + kBlock - 1) / kBlock, false);
  }
  dirty_.clear();
}

void State::restore() {
  for (const Block &block : dirty_) memcpy(block.now, block.before, block.size);
}

bool State::check(bool &owns_heap) {
  bool found = false;
  for (Saved &saved : saved_) {
    if (memcmp(saved.before.data(), saved.now.at, saved.now.size) == 0) continue;
    for (size_t index = 0; index < saved.dirty.size(); ++index) {
      const size_t from = index * kBlock;
      const size_t size = saved.now.size - from < kBlock ? saved.now.size - from : kBlock;
      if (saved.dirty[index] || memcmp(saved.before.data() + from, saved.now.at + from, size) == 0) continue;
      found = true;
      saved.dirty[index] = true;
      dirty_.push_back({saved.now.at + from, saved.before.data() + from, size});
    }
    // Pointers are aligned in memory, not in the section.
    const size_t skew = -reinterpret_cast<uintptr_t>(saved.now.at) % sizeof(uintptr_t);
    for (size_t at = skew; !owns_heap && at + sizeof(uintptr_t) <= saved.now.size; at += sizeof(uintptr_t)) {
      uintptr_t now, before;
      memcpy(&now, saved.now.at + at, sizeof now);
      memcpy(&before, saved.before.data() + at, sizeof before);
      if (now != before) owns_heap = heap.holds(now) || heap.holds(before);
    }
  }
  return found;
}

}  // namespace worker
