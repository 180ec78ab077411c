#include <list>
#include <map>
template <typename T> class List {
  std::list<T> held_;
  int gone_ = 0;
 public:
  typedef typename std::list<T>::iterator Iterator;
  typedef typename std::list<T>::const_iterator ConstIterator;
  void append(const T &x) { held_.push_back(x); }
  Iterator begin() { return held_.begin(); }
  ConstIterator begin() const { return held_.begin(); }
  Iterator end() { return held_.end(); }
  ConstIterator end() const { return held_.end(); }
  Iterator erase(Iterator it);
  T after(ConstIterator it) const;
};
template <typename T> typename List<T>::Iterator List<T>::erase(Iterator it) {
  gone_ += 1;
  return held_.erase(it);
}
template <typename T> T List<T>::after(ConstIterator it) const {
  return *it + 1;
}
int use(List<int> &list) { list.append(2); list.erase(list.begin()); return list.after(list.begin()); }
class Row {
  int cells_[8];
  int used_ = 0;
  int last_ = 0;
 public:
  typedef int *iterator;
  void add(int n) { if (used_ < 8) cells_[used_++] = n; }
  iterator begin() { return cells_; }
  iterator end() { return cells_ + used_; }
  void insert(iterator at, int n) {
    if (at == end()) last_ = n + 1;
    if (at < cells_ + 8) *at = n;
  }
  void erase(iterator first, iterator last) {
    while (last != end()) *first++ = *last++;
    used_ = first - cells_;
  }
};
