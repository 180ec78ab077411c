#include "sensor.h"

namespace sensors {

Status Sensor::init() {
  const std::uint8_t reset[2] = {0x30, 0xa2};
  Status status = bus_.write(address_, reset, sizeof reset);
  if (status != Status::Ok) {
    ++errors_;
    return status;
  }
  std::uint8_t id[3] = {};
  status = bus_.read(address_, id, 3);
  if (status != Status::Ok) {
    errors_ += 2;
    return status;
  }
  if (static_cast<std::uint8_t>(id[0] + id[1]) != id[2]) return Status::BadSum;
  ready_ = (id[0] & 0xf0) == 0x80;
  return ready_ ? Status::Ok : Status::NotReady;
}

Status Sensor::sample(float &celsius) {
  if (!ready_) return Status::NotReady;
  std::uint8_t raw[2];
  const Status status = bus_.read(address_, raw, sizeof raw);
  if (status != Status::Ok) return status;
  const std::int16_t counts = static_cast<std::int16_t>(raw[0] << 8 | raw[1]);
  if (counts < limits_.low || counts > limits_.high) return Status::Nack;
  celsius = static_cast<float>(counts) / 10;
  return Status::Ok;
}

bool Watchdog::kick() {
  const std::uint64_t now = clock_.nowMs();
  const bool inTime = now - last_ <= period_;
  last_ = now;
  return inTime;
}

int poll(Port &port) {
  char text[8] = {};
  std::uint32_t words[2] = {};
  int value = 0, range[2] = {}, sum = 0;
  std::uint8_t id[4] = {}, data[4] = {};
  std::size_t size = sizeof data;
  Part part;
  const std::uint16_t sent[2] = {7, 8};
  port.receive(text, -1);
  sum += port.receive(text, sizeof text) > 0 ? text[0] : 0;
  if (port.words(words, sizeof words)) sum += static_cast<int>(words[1] & 1) * 10;
  if (port.send(sent, 2) && port.get(value)) sum += value > 500 ? 2 : 1;
  port.part(part);
  port.range(range, range + 2);
  port.id(id);
  port.all(data, &size);
  return sum + part.number + id[0] + static_cast<int>(size) + port.get_v();
}

bool isNorth(Receiver &receiver) {
  Fix fix;
  return receiver.latest(fix) && fix.valid && fix.latitude > 66.5;
}

std::size_t labelWidth(Receiver &receiver) {
  std::string label;
  int least = 0;
  if (!receiver.name(label, &least) || least < 0) return 0;
  return label.size() + static_cast<std::size_t>(least);
}

}  // namespace sensors
