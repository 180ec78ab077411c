#include "motif.hpp"
void go(motif_input *in, motif_record *raw) {
  MOTIF::Input input(in);
  MOTIF::Record record(raw);
  const int x = input.take<int>();
  record.returned("return", [&] { return x; });
}
