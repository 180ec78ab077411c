#include <string_view>
int caps(std::wstring_view text) {
  int count = 0;
for (wchar_t c : text) count += c >= L'A' && c <= L'Z';
  return count;
}
int parts(const wchar_t *text) {
  int count = 0;
  for (; *text; ++text) count += *text == L';';
  return count;
}
