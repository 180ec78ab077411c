#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace sensors {

enum class [[nodiscard]] Status : std::uint8_t { Ok, Timeout, Nack, BadSum, NotReady };

// What nothing of the project implements: hardware, and a clock.
class Bus {
 public:
  virtual ~Bus() = default;
  virtual Status write(std::uint8_t address, const std::uint8_t *data, std::size_t size) = 0;
  virtual Status read(std::uint8_t address, std::uint8_t *data, std::size_t size) = 0;
};

class Clock {
 public:
  virtual ~Clock() = default;
  virtual std::uint64_t nowMs() const = 0;
};

struct Part {
  std::unique_ptr<int> owned;
  int number = 3;
};

struct Fix {
  double latitude;
  double longitude;
  bool valid;
};

class Receiver {
 public:
  virtual ~Receiver() = default;
  virtual bool latest(Fix &fix) = 0;
  virtual bool name(std::string &to, int *length) = 0;
};

class Sensor {
 public:
  struct Limits {
    std::int16_t low = -400;
    std::int16_t high = 1250;
  };
  Sensor(Bus &bus, std::uint8_t address) : bus_(bus), address_(address) {}
  void setLimits(const Limits &limits) { limits_ = limits; }
  Status init();
  Status sample(float &celsius);

 private:
  Bus &bus_;
  std::uint8_t address_;
  Limits limits_;
  bool ready_ = false;
  unsigned errors_ = 0;
};

class Watchdog {
 public:
  Watchdog(const Clock &clock, std::uint32_t periodMs) : clock_(clock), period_(periodMs) {}
  [[nodiscard]] bool kick();

 private:
  const Clock &clock_;
  std::uint32_t period_;
  std::uint64_t last_ = 0;
};

// Lengths of other types, in bytes and of none; names that meet; what can't be written.
class Port {
 public:
  virtual ~Port() = default;
  virtual int receive(char *text, int size) = 0;
  virtual bool words(std::uint32_t *to, std::uint16_t numBytes) = 0;
  virtual bool send(const std::uint16_t *words, std::uint16_t count) = 0;
  virtual bool get(int &v) = 0;
  virtual int get_v() = 0;
  virtual bool part(Part &part) = 0;
  virtual bool range(int *first, int *last) = 0;
  virtual void id(std::uint8_t out[4]) = 0;
  virtual std::size_t all(std::uint8_t *data, std::size_t *size) = 0;
};

int poll(Port &port);

bool isNorth(Receiver &receiver);
std::size_t labelWidth(Receiver &receiver);

}  // namespace sensors
