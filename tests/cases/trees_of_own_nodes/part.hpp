#pragma once
#include <map>
#include <string>
#include <vector>
class Part {
 public:
  explicit Part(const std::string &label) : label_(label) {}
  const std::string &label() const { return label_; }
  void add_part(const Part &part) { parts_.push_back(part); }
  const std::vector<Part> &parts() const { return parts_; }
  void set_size(const std::string &side, int size) { sizes_[side] = size; }
  int size(const std::string &side) const;

 private:
  std::string label_;
  std::map<std::string, int> sizes_;
  std::vector<Part> parts_;
};
int width_of_parts(const Part &box);
