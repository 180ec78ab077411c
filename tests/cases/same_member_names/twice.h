#pragma once
#include <memory>
class Base { public: explicit Base(int v) : value_(v) {} virtual ~Base() = default; int base(int k) {
  value_ = k | 1; return 0; } protected: int value_; };
class Derived : public Base { public: explicit Derived(int v) : Base(v), value_(v + 1) {} int own(int k) {
  value_ = k | 2; return 0; } int both(int k) { Base::value_ = k | 4; return 0; } private: int value_; };
class Far : public Derived { public: explicit Far(int v) : Derived(v), value_(v) {} int far(int k) {
  value_ = k | 8; return 0; } int near(int k) { Base::value_ = k | 16; return 0; } private: long value_; };
struct Left { int n = 0; }; struct Right { int n = 0; };
struct Both : Left, Right { int left(int k) { Left::n = k | 32; return 0; } int right(int k) {
  Right::n = k | 64; return 0; } };
std::unique_ptr<Base> made(int k);
Both both(int k);
void change(Far &far, int k);
template <class T> struct Box { T held{}; }; 
struct Boxes : Box<int>, Box<long> { int set(int k) { Box<long>::held = k | 256; return 0; } };
