#pragma once
#include <functional>
#include <memory>
#include <string>
struct Root {
  virtual ~Root() = default;
  std::string type = "root";
};
struct Left : virtual Root {
  int left = 0;
};
struct Right : virtual Root {
  int right = 0;
};
struct Both : Left, Right {
  int both = 0;
};
class Quiet : Root {
 public:
  static std::unique_ptr<Root> make(int n) {
    auto *quiet = new Quiet;
    quiet->loud = n;
    return std::unique_ptr<Root>(quiet);
  }
  int loud = 0;
};
class Far : virtual Root {
 public:
  static std::unique_ptr<Root> make(int n) {
    auto *far = new Far;
    far->type = n > 9 ? "far" : "near";
    return std::unique_ptr<Root>(far);
  }
  int away = 0;
};
template <class T> struct Typed : Root {
  T value{};
};
struct IntTyped : Typed<int> {
  int own = 0;
};
struct Node {
  int value = 0;
};
struct Holder {
  Node *node;
};
struct Wide : Holder {
  int width;
};
std::unique_ptr<Root> both(int n);
std::unique_ptr<Root> quiet(int n);
std::unique_ptr<Root> away(int n);
std::unique_ptr<Root> typed(int n);
std::shared_ptr<Root> kind(int n);
void number(std::shared_ptr<int> number, int k);
void refer(std::reference_wrapper<Node> node, int k);
void weak(std::weak_ptr<Node> node, int k);
void widen(Wide wide, int k);
