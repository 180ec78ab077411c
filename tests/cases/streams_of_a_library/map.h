#pragma once
#include <io/io.h>

int version_of(io::Stream *stream);
io::Properties described(int width, int height);
