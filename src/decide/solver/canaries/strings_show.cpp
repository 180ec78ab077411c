// One character makes another text.
#include <string>
extern "C" unsigned char nondet_uchar();
int main() {
  std::string text("abc");
  text[1] = static_cast<char>(nondet_uchar());
  __ESBMC_assert(text == "abc", "motif: same");
}
