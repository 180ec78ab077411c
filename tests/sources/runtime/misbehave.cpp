// A unit whose mutants, or which itself on one value, do what no function should. Bounded, so that it can be run
// without guards as well: fifty processes, a hundred megabytes, signals of number zero to others.
#include "motif.hpp"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern "C" {
int motif_mutant;
void motif_set_mutant(int mutant) { motif_mutant = mutant; }
}

namespace {

enum Harm {
  kDelete = 1, kWrite, kFork, kFill, kSocket, kParent, kEveryone, kLeave, kStay, kMalloc, kQuit, kThreadExit, kJump,
  kFreeTwice, kOverflow, kMemory, kExec, kKill, kThread, kStack, kLoop
};

bool is_elsewhere() {
  char path[4096];
  return getcwd(path, sizeof path) && !strcmp(path, "/");
}

volatile int always = 1;

int deep(volatile int *below) {
  volatile int here[64] = {*below + always};
  return always ? deep(here) + here[1] : 0;
}

// The result tells what could be done: zero where nothing could.
int harm(int what) {
  switch (what) {
    case kDelete: return unlink(VICTIM) == 0;
    case kWrite: {
      const int file = open(VICTIM ".new", O_WRONLY | O_CREAT, 0600);
      if (file >= 0) close(file);
      return file >= 0;
    }
    case kFork: {
      int made = 0;
      for (int i = 0; i < 50; ++i) {
        const pid_t child = fork();
        if (child == 0) _exit(0);
        if (child > 0) ++made, waitpid(child, nullptr, 0);
      }
      return made;
    }
    case kFill: {
      static char block[1 << 20];
      int files = 0;
      for (int i = 0; i < 100; ++i) {
        char name[32];
        snprintf(name, sizeof name, "fill-%d", i);
        const int file = open(name, O_WRONLY | O_CREAT, 0600);
        if (file < 0) break;
        files += write(file, block, sizeof block) == static_cast<ssize_t>(sizeof block);
        close(file);
      }
      return files > 80;
    }
    case kSocket: return socket(AF_INET, SOCK_STREAM, 0) >= 0;
    case kParent: return kill(getppid(), 0) == 0;
    case kEveryone: return kill(-1, 0) == 0;
    case kLeave: return chdir("/") != 0;
    case kMalloc:
      while (always) free(malloc(static_cast<size_t>(always) * 100));
      return 0;
    case kQuit: return static_cast<int>(syscall(SYS_exit_group, 0));
    case kThreadExit: pthread_exit(nullptr);
    case kJump: {
      jmp_buf nowhere;
      memset(nowhere, 1, sizeof nowhere);
      longjmp(nowhere, 1);
    }
    case kFreeTwice: {
      void *volatile memory = malloc(3000);
      void *volatile guard = malloc(3000);
      free(memory);
      free(memory);
      free(guard);
      return 0;
    }
    case kOverflow: {
      char *volatile memory = static_cast<char *>(malloc(24));
      for (int i = 0; i < 4096; ++i) memory[i] = 'A';
      free(memory);
      return 0;
    }
    case kMemory: {
      // Not touched: addresses are limited.
      void *all[100];
      int had = 0;
      const size_t size = size_t(64) << 20;
      while (had < 100 && (all[had] = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) != MAP_FAILED) ++had;
      for (int i = 0; i < had; ++i) munmap(all[i], size);
      return had == 100;
    }
    case kExec: return execl("/bin/true", "true", nullptr) == 0;
    case kKill: return kill(getpid(), SIGKILL);
    case kThread: {
      pthread_t thread;
      const auto late = [](void *) -> void * {
        usleep(20000);
        *reinterpret_cast<volatile int *>(16) = 1;
        return nullptr;
      };
      if (pthread_create(&thread, nullptr, late, nullptr) == 0) pthread_detach(thread);
      return 0;
    }
    case kStack: {
      volatile int first = 0;
      return deep(&first);
    }
    case kLoop:
      while (always) {
      }
      return 0;
    default: return 0;
  }
}

int act(int value) {
#ifdef ORIGINAL
  if (value == 77) return value + harm(ORIGINAL);
#endif
  return value + (is_elsewhere() ? 1000 : 0);
}

int mut_act(int value) {
  // Told from the original only where it is run in the right folder, or for its own sake.
  if (motif_mutant == kStay) return is_elsewhere() ? value + 1000 : value + 1;
  const int result = act(value);
  return motif_mutant ? result + harm(motif_mutant) : result;
}

template <class F>
void drive(motif_input *raw_in, motif_record *raw_record, F function) {
  MOTIF::Input in(raw_in);
  MOTIF::Record record(raw_record);
  const auto argument = in.take<int>();
  record.returned("return", [&] { return function(argument); });
}

void original(motif_input *in, motif_record *record) { drive(in, record, act); }
void copy(motif_input *in, motif_record *record) { drive(in, record, mut_act); }

}  // namespace

extern "C" const motif_unit motif_the_unit = {MOTIF_ABI, "misbehave", kLoop, original, copy, nullptr};
