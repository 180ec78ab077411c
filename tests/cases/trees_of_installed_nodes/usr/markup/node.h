#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>
namespace markup {
class Node {
 public:
  explicit Node(const char *name) : name_(name) {}
  virtual ~Node() {}
  const char *name() const { return name_.c_str(); }
  void add_child(const Node &child) { children_.push_back(std::shared_ptr<Node>(child.copy())); }
  const Node *child(const char *name) const {
    for (const auto &child : children_)
      if (child->name_ == name) return child.get();
    return nullptr;
  }
  void set_attribute(const char *name, const char *value) { attributes_[name] = value; }
  const char *attribute(const char *name) const {
    const auto found = attributes_.find(name);
    return found == attributes_.end() ? nullptr : found->second.c_str();
  }

 protected:
  virtual Node *copy() const { return new Node(*this); }

 private:
  std::string name_;
  std::map<std::string, std::string> attributes_;
  std::vector<std::shared_ptr<Node>> children_;
};
}  // namespace markup
