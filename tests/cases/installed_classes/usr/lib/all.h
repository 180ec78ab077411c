#pragma once
#define LIB_ALL
#include <lib/part.h>
