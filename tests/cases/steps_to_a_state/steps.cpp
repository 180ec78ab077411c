#include "steps.h"

#include <stdexcept>
#include <utility>

namespace steps {

void Dispatcher::add(std::uint16_t opcode, std::size_t size, Handler handler) {
  if (!entries_.emplace(opcode, Entry{size, std::move(handler)}).second) throw std::logic_error("twice");
}

int Dispatcher::dispatch(const Command &command) {
  const auto found = entries_.find(command.opcode);
  if (found == entries_.end()) return -1;
  if (command.arguments.size() != found->second.size) return -2;
  if (!found->second.handler(command)) return -3;
  accepted_ += 1;
  return 0;
}

int Settings::load(std::istream &in) {
  std::string key, value;
  int count = 0;
  while (in >> key >> value) {
    values_[key] = value;
    ++count;
  }
  return count;
}

bool Settings::isOn(const std::string &key) const {
  const auto found = values_.find(key);
  return found != values_.end() && found->second.size() > 1;
}

bool Link::open() {
  if (isOpen_) return false;
  isOpen_ = true;
  return true;
}

int Link::send(int value) {
  if (!isOpen_) return -1;
  sent_ += value;
  return sent_ > 100 ? 1 : 0;
}

bool Machine::post(Event event) {
  switch (event) {
    case Event::Start:
      if (faults_ > 4) return false;
      isRunning_ = true;
      return true;
    case Event::Fault:
      ++faults_;
      isRunning_ = false;
      return true;
    case Event::Clear:
      if (isRunning_) return false;
      faults_ = 0;
      return true;
  }
  return false;
}

}  // namespace steps
