namespace thermal {
int verbosity = 1;
namespace {
bool armed = false;
}
void arm(bool on) {
  armed = on;
}
int limit(int at) {
  return armed ? at + 1 : at;
}
int report(int level) {
  return level > 2 ? verbosity * level : level;
}
}
