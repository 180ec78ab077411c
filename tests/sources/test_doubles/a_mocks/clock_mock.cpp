#include "../clock.h"
long Clock::now() const { return 42; }
int board_temperature(int channel) { return channel ? 7 : 9; }
