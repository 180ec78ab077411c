#include "label.h"

std::string Label::shown() const { return raw ? "[" + text + "]" : text; }

int weight(const Label &label) { return label.is_raw() ? 2 : 1; }
