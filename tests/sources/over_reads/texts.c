#include "texts.h"

#include <string.h>

// It reads behind the end of any text.
int behind(const char *text) { return text[strlen(text) + 9] == 1 ? 2 : 3; }

int first(const char *text) { return text[0] == 1 ? 2 : 3; }
