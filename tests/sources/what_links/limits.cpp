#include "gauge.hpp"

int gauge_limit = 500;
