#include "event.h"

#include <string.h>

int style_of(const event *it) {
    if (it->kind != WORD_EVENT) {
        return 0;
    }
    if (it->data.word.quoted && it->data.word.length == 0) {
        return 7;
    }
    return it->data.word.length > 3 ? 2 : 1;
}

int width_of(const event *it) {
    if (it->kind == SPAN_EVENT && it->data.span.to >= it->data.span.from) {
        return it->data.span.to - it->data.span.from;
    }
    return -1;
}

int first_of(const event *it) {
    if (it->kind != WORD_EVENT || it->data.word.text == NULL) {
        return -1;
    }
    return it->data.word.text[0] == '#' ? 3 : 4;
}

int is_marked(const setting *of) {
    if (of->kind == 1 && of->text != NULL) {
        return strcmp(of->text, "on") == 0;
    }
    return 2;
}

int depth_of(const setting *of) {
    int depth = 0;
    while (of->kind == 2 && of->inner != NULL && depth < 9) {
        of = of->inner;
        depth++;
    }
    return depth;
}
