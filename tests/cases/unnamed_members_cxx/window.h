#pragma once
template <class T> class Pane {
 public:
  void put(T at) { place.at = at; }
  T twice() const { return place.at * 2; }

 private:
  struct {
    T at;
    int times = 0;
  } place = {};
};
class Window {
 public:
  explicit Window(int w) { size.width = w; }
  void resize(int w, int h);
  void assign(int at, int id);
  int area() const;
  void show(int at);

 private:
  struct {
    int width = 0, height = 0;
  } size, shown;
  struct {
    int id = 0;
    bool used = false;
  } slots[2];
  union {
    int number = 0;
    float real;
  };
  struct {
    int x = 0, y = 0;
  };
  Pane<long> pane;
};
