#pragma once
#include <map>
#include <string>
// Values by names: nothing happens where one of several is missing.
class Attributes {
 public:
  void insert(const char *name, const char *value) {
    if (name && value) values_[name] = value;
  }
  void remove(const char *name) { values_.erase(name); }
  const std::string *operator[](const char *name) const {
    const auto it = values_.find(name);
    return it == values_.end() ? nullptr : &it->second;
  }

 private:
  std::map<std::string, std::string> values_;
};

std::string ellipse(const Attributes &attributes);
int fill(const Attributes &attributes);
