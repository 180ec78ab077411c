#include <stdlib.h>

#include "route.h"

struct stop_place *stop_new(void) { return calloc(1, sizeof(struct stop_place)); }

void stop_free(struct stop_place *stop) { free(stop); }

void route_init(struct route *route) {
  route->first = NULL;
  route->stops = 0;
}

void route_insert(struct route *route, struct stop_place *stop) {
  struct stop_place **at = &route->first;
  while (*at && (*at)->at.minute < stop->at.minute) at = &(*at)->next;
  stop->next = *at;
  *at = stop;
  ++route->stops;
}

void route_clear(struct route *route) {
  while (route->first) {
    struct stop_place *const next = route->first->next;
    stop_free(route->first);
    route->first = next;
  }
}

int route_boarding(const struct route *route, int from) {
  int sum = 0;
  const struct stop_place *at;
  for (at = route->first; at; at = at->next) {
    if (at->at.minute > from) sum += at->people % 100;
  }
  return sum;
}
