#include <netinet/in.h>
#include <sys/stat.h>
#include <stdlib.h>
int port(const struct sockaddr_in *a) {
  return ntohs(a->sin_port) + 1;
}
void grow(struct stat *s) {
  s->st_size += 100;
}
int whole(div_t d) {
  return d.rem == 0 ? d.quot : -1;
}
