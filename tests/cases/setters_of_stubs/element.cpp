#include "element.hpp"

namespace ebml {

void Element::setValue(long value) {
    value_ = value;
    has_value_ = true;
}

void Element::load(long value) { value_ = value; }

bool Element::isDefault() const { return !has_value_; }

long Element::padded(long unit) const {
    if (!has_value_) {
        return -1;
    }
    return unit + value_ / 2;
}

long weight(const Element &element) {
    if (element.isDefault()) {
        return 0;
    }
    return 7;
}

}  // namespace ebml
