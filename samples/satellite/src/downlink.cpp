#include "sat/downlink.hpp"

namespace sat {

std::string pack(const std::vector<std::string>& messages, std::size_t limit) {
    std::string pass;
    for (const std::string& message : messages) {
        if (pass.size() + message.size() + 1 > limit) {
            continue;
        }
        pass += message;
        pass += ';';
    }
    return pass;
}

double vote(const std::array<double, 3>& sensors) {
    const double a = sensors[0];
    const double b = sensors[1];
    const double c = sensors[2];
    if (a < b) {
        return b < c ? b : (a < c ? c : a);
    }
    return a < c ? a : (b < c ? c : b);
}

int repeats(const std::array<bool, 4>& flags) {
    int count = 0;
    for (const bool flag : flags) {
        if (flag) {
            count += 1;
        }
    }
    return count;
}

}  // namespace sat
