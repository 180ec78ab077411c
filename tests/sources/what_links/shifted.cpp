extern "C" int offset_of(int value);

int shifted(int value) {
  return offset_of(value % 1000) * 2;
}
