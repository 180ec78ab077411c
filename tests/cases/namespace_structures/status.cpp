namespace sat {
struct Limits {
  double low = 0, high = 10;
  int trips[2] = {};
};
namespace {
Limits limits;
}
struct Status {
  enum class Mode { Safe, Nominal } mode = Mode::Safe;
  int beats = 0;
};
Status status;
bool inside(double x) {
  if (x >= limits.low && x <= limits.high) return true;
  limits.trips[x < 0 ? 0 : 1]++;
  return false;
}
void beat(int n) {
  status.beats += n & 15;
  if (status.beats > 40) status.mode = Status::Mode::Nominal;
}
}
