#include "report.h"

namespace report {

void number(Appender out, short value) {
  int left = value;
  if (left < 0) {
    *out++ = '-';
    left = -left;
  }
  char digits[8];
  int i = 0;
  do {
    digits[i++] = static_cast<char>('0' + left % 10);
    left /= 10;
  } while (left > 0);
  for (; i > 0; --i) *out++ = digits[i - 1];
}

}  // namespace report
