class Point {
 public:
  Point() {}
  Point(int x, int y) : x_(x), y_(y) {}
  void set(int x, int y) {
    x_ = x;
    y_ = y;
  }
  void flip() { y_ = 7 - y_; }
  int x_, y_;
};
int rising(const Point *points, int count) {
  int rises = 0;
  if (count < 3) return -1;
  for (int i = 1; i < count; ++i) {
    if (points[i].x_ == points[i - 1].x_) return -2;
    if (points[i].y_ > points[i - 1].y_) rises += 2;
  }
  return rises;
}
int louder(float *out, const float *in, int &frames) {
  int done = 0;
  for (; done < frames - 1; ++done, ++in, ++out) *out = *in * 3;
  frames = done + 5;
  return done;
}
