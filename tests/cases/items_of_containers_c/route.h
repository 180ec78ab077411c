struct moment {
  int minute;
};
struct stop_place {
  struct moment at;
  int people;
  struct stop_place *next;
};
struct route {
  struct stop_place *first;
  int stops;
};
struct stop_place *stop_new(void);
void stop_free(struct stop_place *stop);
void route_init(struct route *route);
void route_insert(struct route *route, struct stop_place *stop);
void route_clear(struct route *route);
int route_boarding(const struct route *route, int from);
