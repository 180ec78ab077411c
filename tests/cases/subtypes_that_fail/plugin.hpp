#pragma once
#include <string>
#include <vector>

struct Output {
  Output() : bins(0) {}
  std::string name;
  int bins;
};

class Plugin {
 public:
  virtual ~Plugin() = default;
  virtual std::vector<Output> outputs() const = 0;
  virtual int channels() const = 0;
};

// Its library is on no machine that tests run on.
class LoadedPlugin : public Plugin {
 public:
  LoadedPlugin();
  std::vector<Output> outputs() const override;
  int channels() const override;
};

class Adapter {
 public:
  explicit Adapter(Plugin &plugin) : plugin_(plugin) {}
  int values() const;

 private:
  Plugin &plugin_;
};
