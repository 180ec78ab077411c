#pragma once
#include "sink.hpp"

void feed(Sink &sink, int value);
