#pragma once
// What a device writes to is seen as a base; the class that implements it is known to one source only.
class Port {
 public:
  virtual ~Port() {}
  virtual bool is_open() const = 0;
};

class InPort : public Port {
 public:
  void ignore(bool timing, bool sensing) { ignored_ = (timing ? 1 : 0) + (sensing ? 2 : 0); }
  virtual void poll() = 0;

 protected:
  int ignored_ = 0;
};

class Device {
 public:
  Device();
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;
  void ignore(bool timing, bool sensing);

 private:
  Port *port_;
};
