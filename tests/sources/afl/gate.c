unsigned gate(unsigned key) {
  unsigned open = 0;
  if (key == 31337) open = 1;
  if ((key ^ 23130) % 20011 == 7) open = 3;
  return open;
}
