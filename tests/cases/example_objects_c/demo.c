#include "mixer.h"
#include <stdio.h>

int main(void) {
    static const int beats[] = {1, 4, 9};
    mixer *m = mixer_for_rate(48000);
    if (m == NULL) return 1;
    if (mixer_attach(m, 3, 7) != 0) return 1;
    printf("%d\n", mixer_level(m, 5));
    mixer_destroy(m);
    struct track t;
    track_begin(&t, beats, 3);
    printf("%d\n", track_span(&t, 2));
    return 0;
}
