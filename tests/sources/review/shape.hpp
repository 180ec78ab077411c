#pragma once
struct Shape { virtual ~Shape() {} virtual double area() const = 0;
  double twice() const { return 2 * area(); } };
