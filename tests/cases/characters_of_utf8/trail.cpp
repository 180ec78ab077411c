int trail_bytes(char8_t lead, int most) {
  const int count = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  return count < most ? count : most;
}
