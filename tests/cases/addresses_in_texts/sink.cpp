#include "sink.hpp"

#include <cstdio>
#include <stdexcept>

namespace sink {

int Sink::put(int bytes) {
    char text[40];
    std::snprintf(text, sizeof text, "no room in %p", static_cast<void *>(text));
    if (bytes < 100) {
        failures_ += 2;
        throw std::runtime_error(text);
    }
    return bytes - 100;
}

}  // namespace sink
