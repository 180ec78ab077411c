#pragma once

struct pump;

struct pump *pump_new(int level);

// Asks for the level each time.
struct pump *pump_new_asking(int level, int (*ask)(void *), void *told);

void pump_free(struct pump *it);

int pump_level(struct pump *it);
