/* An enumeration that only a member has. */
struct mouse {
  enum { PLAIN, WIDE, LONG_FORM } protocol;
  int column;
  struct mouse *other;
};
int mouse_code(const struct mouse *mouse, int code);
int mouse_code(const struct mouse *mouse, int code) {
  switch (mouse->protocol) {
    case WIDE: return code + 32;
    case LONG_FORM: return mouse->column * 2 - code;
    default: return code & 3;
  }
}
