#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <map>
#include <string>
#include <vector>

namespace steps {

struct Command {
  std::uint16_t opcode;
  std::vector<std::uint8_t> arguments;
};

class Dispatcher {
 public:
  using Handler = std::function<bool(const Command &)>;
  void add(std::uint16_t opcode, std::size_t size, Handler handler);
  int dispatch(const Command &command);

 private:
  struct Entry {
    std::size_t size;
    Handler handler;
  };
  std::map<std::uint16_t, Entry> entries_;
  unsigned accepted_ = 0;
};

class Settings {
 public:
  int load(std::istream &in);
  bool isOn(const std::string &key) const;
  bool isEmpty() const { return values_.empty(); }

 private:
  std::map<std::string, std::string> values_;
};

// Sensor data behind a handle that has to be opened.
class Link {
 public:
  bool open();
  int send(int value);

 private:
  bool isOpen_ = false;
  int sent_ = 0;
};

template <class T, std::size_t N>
class Ring {
 public:
  bool push(const T &value) {
    if (count_ == N) {
      ++overruns_;
      data_[head_] = value;
      head_ = (head_ + 1) % N;
      return false;
    }
    data_[(head_ + count_) % N] = value;
    ++count_;
    return true;
  }

 private:
  T data_[N] = {};
  std::size_t head_ = 0, count_ = 0, overruns_ = 0;
};

class Filter {
 public:
  bool push(float value) { return window_.push(value); }

 private:
  Ring<float, 6> window_;
};

enum class Event { Start, Fault, Clear };

class Machine {
 public:
  bool post(Event event);

 private:
  bool isRunning_ = false;
  unsigned faults_ = 0;
};

}  // namespace steps
