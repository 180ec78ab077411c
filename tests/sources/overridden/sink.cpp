#include <string>
class Sink {
 public:
  virtual ~Sink() = default;
  virtual int take(int level, const std::string &text) = 0;
};
int tell(Sink &sink, int height) {
  return sink.take(height * 2, height > 3 ? "high" : "low") + 1;
}
int ask(int (*answer)(int), int height) {
  return answer(height + 7) + 2;
}
