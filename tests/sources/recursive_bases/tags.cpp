#include "tags.hpp"
