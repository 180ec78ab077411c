#ifndef EVENT_H
#define EVENT_H

typedef enum { NO_EVENT, WORD_EVENT, SPAN_EVENT } event_kind;

typedef struct {
    event_kind kind;
    union {
        struct {
            const char *text;
            int length;
            int quoted;
        } word;
        struct {
            int from;
            int to;
        } span;
    } data;
} event;

typedef struct setting {
    int kind;
    union {
        long number;
        const char *text;
        struct setting *inner;
    };
} setting;

int style_of(const event *it);
int width_of(const event *it);
int first_of(const event *it);
int is_marked(const setting *of);
int depth_of(const setting *of);

#endif
