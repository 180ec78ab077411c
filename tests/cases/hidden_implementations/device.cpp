#include "port.hpp"

void Device::ignore(bool timing, bool sensing) { static_cast<InPort *>(port_)->ignore(timing, sensing); }
