// Characters are counted one by one.
#include <string>
extern "C" unsigned char nondet_uchar();
int main() {
  std::string text("abc");
  text.push_back('d');
  int at = nondet_uchar() & 3;
  __ESBMC_assert(text.size() == 4 && text[at] == 'a' + at, "motif: same");
}
