#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>
namespace n {
typedef struct { int kind; union { double f; long i; } value; } POS;
template <class T, int N = 2> class Ring { public: void push(const T &t); T at(int i) const { return items_[i % N]; }
private: T items_[N]; std::vector<T> rest_; };
template <class T, int N> void Ring<T, N>::push(const T &t) { items_[0] = t; }
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; protected: std::string name_; };
struct Square final : Shape { explicit Square(double a) noexcept : a_(a) {} double area() const override { return a_ * a_; }
static int count; private: double a_; };
}
