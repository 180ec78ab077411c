#pragma once

#include <cstddef>
#include <string>

// Nobody here defines these.
void *pool_allocate(std::size_t size);
std::string pool_name(int number);

int pool_scaled(int value);
