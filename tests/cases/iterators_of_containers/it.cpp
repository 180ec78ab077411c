#include <deque>
#include <list>
#include <map>
#include <string>
#include <vector>
template <typename Iterator> int spaces(Iterator it, Iterator end) {
  int n = 0;
  for (; it != end; ++it) n += *it == ' ' ? 1 : 0;
  return n;
}
template <typename Iterator> Iterator skip(Iterator start, Iterator end) {
  while (start != end && *start == 'A') ++start;
  return start;
}
template <typename Iterator> bool next(Iterator &it, Iterator end) {
  if (it == end) return false;
  it += 1;
  return true;
}
template <typename Out> Out twice(char c, Out to) {
  *to++ = c;
  *to++ = c + 1;
  return to;
}
int use(const std::string &s, std::string &to) {
  auto at = s.begin();
  next(at, s.end());
  twice('a', std::back_inserter(to));
  return spaces(s.begin(), s.end()) + (skip(s.begin(), s.end()) == s.end());
}
void raise(std::vector<int>::iterator first, std::vector<int>::iterator last) {
  for (; first != last; ++first) *first = 7;
}
long sum(std::list<long>::const_iterator from, std::list<long>::const_iterator to) {
  long n = 0;
  for (; from != to; ++from) n += *from;
  return n;
}
int key(std::map<int, std::string>::iterator at) {
  return at->first + 5;
}
int back(std::deque<int>::reverse_iterator at, std::deque<int>::reverse_iterator end) {
  return at == end ? 3 : *at;
}
