// A unit that looks at one thing of the process around it and changes it, so that the second call of a process would not
// be the first. The input says which; mutant 1 returns something else, mutant 2 changes nothing and so makes no difference.
#include "motif.hpp"

#include <cfenv>
#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <limits>
#include <locale.h>
#include <locale>
#include <sstream>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <xmmintrin.h>

extern "C" {
int motif_mutant;
void motif_set_mutant(int mutant) { motif_mutant = mutant; }
extern char **environ;
}

namespace {

int code(const char *text) {
  int sum = 7;
  while (text && *text) sum = sum * 31 + *text++;
  return sum & 0xffffff;
}

struct Comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

std::string written(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

void be_handler(int) {}

int variables() {
  int count = 0;
  for (char **at = environ; at && *at; ++at) ++count;
  return count;
}

int drawn() {
  int sum = 0;
  for (int i = 0; i < 40; ++i) sum = sum * 31 + std::rand() % 1000;
  return sum;
}

volatile double one = 1, three = 3;
volatile long double big = std::numeric_limits<long double>::max();

// What the thing looks like now.
int look(int what) {
  switch (what) {
    case 0: return code(setlocale(LC_ALL, nullptr));
    case 1: return uselocale(nullptr) == LC_GLOBAL_LOCALE;
    case 2: return code(written(1.5).c_str());
    case 3: return std::fegetround();
    case 4: return std::fetestexcept(FE_ALL_EXCEPT);
    case 5: return fegetexcept();
    case 6: return static_cast<int>(_mm_getcsr() & _MM_FLUSH_ZERO_MASK);
    case 7: return static_cast<int>(big * 0 == 0);
    case 8: return drawn();
    case 9: return drawn();
    case 10: return drawn();
    case 11: return static_cast<int>(drand48() * 1e6);
    case 12: return static_cast<int>(lrand48());
    case 13: return static_cast<int>(mrand48());
    case 14: return code(getenv("MOTIF_LAB"));
    case 15: return code(getenv("MOTIF_LAB_2"));
    case 16: return getenv("PATH") != nullptr;
    case 17: return variables();
    case 18: return variables();
    case 19: return code(getenv("PATH"));
    case 20: {
      char path[4096] = "";
      return getcwd(path, sizeof path) ? code(path) : -1;
    }
    case 21: {
      const mode_t mask = umask(0);
      umask(mask);
      return static_cast<int>(mask);
    }
    case 22: {
      sigset_t mask;
      sigprocmask(SIG_BLOCK, nullptr, &mask);
      return sigismember(&mask, SIGUSR1);
    }
    case 23: {
      struct sigaction action;
      sigaction(SIGUSR2, nullptr, &action);
      return action.sa_handler == be_handler;
    }
    case 24: {
      struct sigaction action;
      sigaction(SIGINT, nullptr, &action);
      return action.sa_handler == be_handler;
    }
    case 25: {
      itimerval timer;
      getitimer(ITIMER_REAL, &timer);
      return timer.it_value.tv_sec != 0;
    }
    case 26: return feof(stdin);
    case 27: return static_cast<int>(std::cout.precision());
    case 28: return static_cast<int>(std::cin.rdstate());
    case 29: return stdout == stderr;
    case 30: {
      stack_t stack;
      sigaltstack(nullptr, &stack);
      return (stack.ss_flags & SS_DISABLE) != 0;
    }
    default: return errno;
  }
}

void change(int what) {
  static char in_place[] = "MOTIF_LAB_2=set";
  static char *nobody[] = {nullptr};
  switch (what) {
    case 0: setlocale(LC_CTYPE, "C.UTF-8"); break;
    case 1: uselocale(newlocale(LC_ALL_MASK, "C", nullptr)); break;
    case 2: std::locale::global(std::locale(std::locale::classic(), new Comma)); break;
    case 3: std::fesetround(FE_UPWARD); break;
    case 4: one = one / three; break;
    case 5: feenableexcept(FE_DIVBYZERO); break;
    case 6: _mm_setcsr(_mm_getcsr() | _MM_FLUSH_ZERO_ON); break;
    // Registers of the older unit that MMX instructions have taken and not given back.
    case 7: __asm__ volatile("pxor %%mm0, %%mm0" : : : "mm0"); break;
    case 8: break;
    case 9: std::srand(static_cast<unsigned>(std::rand())); break;
    case 10: {
      char state[64];
      initstate(static_cast<unsigned>(std::rand()), state, sizeof state);
      break;
    }
    case 11: break;
    case 12: srand48(static_cast<long>(lrand48())); break;
    case 13: {
      unsigned short all[7] = {1, 2, 3, 4, 5, 6, 7};
      lcong48(all);
      break;
    }
    case 14: setenv("MOTIF_LAB", "set", 1); break;
    case 15: putenv(in_place); break;
    case 16: unsetenv("PATH"); break;
    case 17: clearenv(); break;
    case 18: environ = nobody; break;
    case 19:
      if (char *path = getenv("PATH")) strtok(path, ":/");
      break;
    case 20: (void)!chdir("/"); break;
    case 21: umask(0123); break;
    case 22: {
      sigset_t mask;
      sigemptyset(&mask);
      sigaddset(&mask, SIGUSR1);
      sigprocmask(SIG_BLOCK, &mask, nullptr);
      break;
    }
    case 23: {
      struct sigaction action = {};
      action.sa_handler = be_handler;
      sigaction(SIGUSR2, &action, nullptr);
      break;
    }
    case 24: std::signal(SIGINT, be_handler); break;
    case 25: alarm(1000); break;
    case 26: (void)getchar(); break;
    case 27: std::cout.precision(3); break;
    case 28: std::cin.get(); break;
    case 29: stdout = stderr; break;
    case 30: {
      stack_t none = {};
      none.ss_flags = SS_DISABLE;
      sigaltstack(&none, nullptr);
      break;
    }
    default: errno = 5; break;
  }
}

int use(int what) {
  const int found = look(what);
  change(what);
  return found;
}

int mut_use(int what) {
  const int found = look(what);
  if (motif_mutant != 2) change(what);
  return motif_mutant == 1 ? found + 1 : found;
}

template <class F>
void drive(motif_input *raw_in, motif_record *raw_record, F function) {
  MOTIF::Input in(raw_in);
  MOTIF::Record record(raw_record);
  const auto argument = in.take<int>();
  record.returned("return", [&] { return function(argument); });
}

void original(motif_input *in, motif_record *record) { drive(in, record, use); }
void copy(motif_input *in, motif_record *record) { drive(in, record, mut_use); }

}  // namespace

extern "C" const motif_unit motif_the_unit = {MOTIF_ABI, "surroundings", 2, original, copy, nullptr};
