#include "feed.hpp"
#include "journal.hpp"
#include "recorder.hpp"

int main() {
  Recorder recorder;
  feed(recorder, 7);
  return recorder.last();
}
