/* Tables that one number in thousands asks a certain entry of. */
unsigned short to_ucs2(unsigned short code) {
  static const unsigned short map[0x3000] = {
      [0x0000] = 0x3000, [0x0a51] = 0x4e00, [0x1c07] = 0x50c9, [0x2f15] = 0x5102,
  };
  return code < 0x8140 || code >= 0x8140 + 0x3000 ? 0 : map[code - 0x8140];
}

int toll(int station) {
  static const int tolls[1500] = {[0] = 3, [613] = 12, [1207] = 40};
  if (station < 0 || station >= 1500) return -1;
  return tolls[station];
}
