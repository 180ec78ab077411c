#include <chrono>
#include <cstdlib>

int small(int a) {
  if (a > 3) return a;
  return -a;
}

int narrow(unsigned a) {
  if (a == 0x7f3a91c5u && (a & 1) == 0) return 1;
  return 2;
}

long now() { return (long)std::chrono::steady_clock::now().time_since_epoch().count() + rand() + (long)(size_t)malloc(1); }

void never() { std::abort(); }

struct Shell {
  const char *text = nullptr;
  int size() const {
    if (!text) return 0;
    int n = 0;
    while (text[n]) ++n;
    return n;
  }
};

class Device;
typedef Device *Handle;
int handle(Handle h) { return h != nullptr; }
struct Node {
  int n;
  virtual ~Node();
};
int number(void *node) {
  return static_cast<Node *>(node)->n + static_cast<Shell ***>(node)[0][0]->size();
}
