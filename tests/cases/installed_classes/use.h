#pragma once
#include <lib/all.h>
#include <string>
int weigh(const lib::Token &token);
lib::Token next(const lib::Token &token);
void raise(lib::Token &token, int by);
void note(lib::Token &token, int n);
lib::Text quoted(const lib::Text &text, int n);
double trace(const lib::Matrix<double, 3, 3> &m);
lib::Matrix<int, 2, 1> column(int n);
double corner(const lib::Rows &rows);
void clear(lib::Rows &rows);
lib::Ratio<int> turned(const lib::Ratio<int> &ratio);
lib::Bag<int> bagged(int n);
