extern "C" {
int offset_of_base(int value) {
  return value + 11;
}

/// What only an attribute defines.
int offset_of(int value) __attribute__((alias("offset_of_base")));
}
