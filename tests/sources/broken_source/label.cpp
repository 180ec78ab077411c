#include <gone/checked.h>
#include "label.hpp"
int Label::made = 0;
Label::Label(const char *) : text_(nullptr) {}
Label::~Label() = default;
int Label::size() const { return 0; }
