// Parameters of every kind that a plan knows, some to a function.
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <queue>
#include <stack>
#include <stdexcept>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

namespace lib {

struct Mark {
  int line = 0, column = 0;
};

// Nothing here implements it.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual bool take(const std::string &text, double weight) = 0;
  virtual Sink &end(unsigned char kind) noexcept = 0;
  virtual Mark where() const = 0;
  virtual const char *name(Mark *mark) const = 0;
  virtual void seen(const Mark &mark, const Mark *other) = 0;
};

int feed(Sink &sink, const std::vector<int> &all) {
  int taken = 0;
  for (int number : all) {
    if (sink.take(std::to_string(number), number / 2.0)) ++taken;
  }
  if (taken > 1) sink.end('x');
  Mark mark;
  mark.column = taken;
  sink.seen(mark, nullptr);
  return taken + sink.where().line;
}

int owned(std::unique_ptr<Sink> sink) {
  Mark mark;
  return sink->name(&mark)[0] == 'q';
}

// Its iterators are its own.
class Ring {
  int values[4] = {};
  std::size_t count = 0;

 public:
  class iterator {
   public:
    iterator(Ring *ring, std::size_t at) : ring(ring), at(at) {}
    int &operator*() const { return ring->values[at]; }
    iterator &operator++() { return ++at, *this; }
    bool operator!=(const iterator &other) const { return at != other.at; }

   private:
    Ring *ring;
    std::size_t at;
  };
  void push(int value) {
    if (count < 4) values[count++] = value;
  }
  iterator begin() { return iterator(this, 0); }
  iterator end() { return iterator(this, count); }
};

int sum(Ring::iterator first, Ring::iterator last) {
  int all = 0;
  for (; first != last; ++first) all += *first & 15;
  return all;
}

int twice(Ring::iterator it) { return *it += *it & 15; }

int rows(const std::tuple<int, std::string> &pair, std::chrono::milliseconds time, const std::runtime_error &error) {
  return static_cast<int>(std::get<1>(pair).size() + (time.count() & 7)) + (std::string(error.what()) == "late");
}

int chosen(const std::variant<bool, std::string, Mark> &one, std::optional<Mark> other) {
  return one.index() == 2 ? std::get<2>(one).line : other ? other->column : static_cast<int>(one.index());
}

int piled(std::stack<int> stack, std::priority_queue<short> queue, const std::wstring &wide) {
  if (stack.empty() || queue.empty()) return wide.empty();
  return stack.top() & queue.top();
}

int moved(std::tuple<std::unique_ptr<Mark>, int> owner, std::weak_ptr<Mark> watched) {
  return std::get<0>(owner)->line / 2 + watched.expired();
}

std::size_t ends(const std::filesystem::path &path, char *text) {
  std::size_t length = 0;
  while (text[length]) ++length;
  return length + path.extension().string().size();
}

int memory(void *data, const void *more, std::size_t size) {
  int sum = data == more;
  for (std::size_t i = 0; i < size; ++i) sum ^= static_cast<const unsigned char *>(more)[i];
  return sum;
}

void copied(FILE *from, FILE *to) {
  for (int c; (c = fgetc(from)) != EOF;) fputc(c == 'x' ? 'y' : c, to);
}

struct Token {
  const char *start;
  const char *end;
};

// Ends of one text: as members, as a reference to the beginning, by letters.
int spelled(const std::vector<Token> &tokens, const char *&at, const char *end, const char *s, const char *e) {
  int sum = static_cast<int>(e - s);
  for (const Token &token : tokens) sum += static_cast<int>(token.end - token.start);
  while (at != end && *at == ' ') ++at;
  return sum + static_cast<int>(end - at);
}

struct Note {
  int weight = 0;
};

int weighed(const Note *note, Note **held, char *name, const char *label = nullptr, double scale = 1.0) {
  if (!note || held == nullptr) return -1;
  if (name) name[0] = 'n';
  return note->weight + (label ? 1 : 0) + static_cast<int>(scale > 0.0);
}

template <typename T, int N>
int scaled(const std::vector<T> &all) {
  return static_cast<int>(all.size()) * N;
}

template <typename K, typename V>
V looked_up(const std::map<K, V> &all, const K &key) {
  const auto at = all.find(key);
  return at == all.end() ? V() : at->second;
}

class Bag {
 public:
  template <typename T>
  void put(const T &value) {
    held_.push_back(static_cast<double>(value));
  }
  template <typename T>
  T get(std::size_t at) const {
    return at < held_.size() ? static_cast<T>(held_[at]) : T();
  }
  template <typename T>
  static T twice(T value);

 private:
  std::vector<double> held_;
};

template <>
inline short Bag::twice<short>(short value) {
  return static_cast<short>(value * 2);
}

// What a template has of its parameters, in a class and around it.
template <typename T>
class Scale {
 public:
  using value_type = T;
  explicit Scale(T by) : by_(by) {}
  template <typename Other>
  Scale(const Other &other, T by) : by_(other.at(0) + by) {}
  friend void trade(Scale &left, Scale &right) {
    const T kept = left.by_;
    left.by_ = right.by_;
    right.by_ = kept;
  }
  template <int N>
  struct Row {
    T cells[N];
    T sum(const typename Scale::value_type &more) const { return cells[0] + cells[N - 1] + more; }
  };

 private:
  T by_;
};

template <typename S>
typename S::value_type doubled(const S &, typename S::value_type one) {
  return one + one;
}

template <typename F>
int counted(int most, F &&keep) {
  int count = 0;
  for (int i = 0; i < most % 8; ++i) count += keep(i) ? 1 : 0;
  return count;
}

double uses() {
  Bag bag;
  bag.put(2.5f);
  Scale<long> one(2);
  Scale<long> other(std::string("a"), 1);
  trade(one, other);
  const Scale<long>::Row<2> row{{1, 2}};
  doubled(one, row.sum(3));
  counted(3, [&](int i) { return i > 1; });
  return bag.get<short>(0) + scaled<long, 3>({1}) + looked_up(std::map<int, double>(), 1) + Bag::twice<short>(2);
}

}  // namespace lib
