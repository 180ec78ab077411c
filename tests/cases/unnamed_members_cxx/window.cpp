#include "window.h"
void Window::resize(int w, int h) {
  size.width = w;
  size.height = h + 1;
  x = w;
  shown.width = h;
}
void Window::assign(int at, int id) {
  slots[at & 1].id = id * 3;
  number = id;
}
int Window::area() const { return size.width * size.height; }
void Window::show(int at) { pane.put(at + 1); }
