int computed(int n) {
  if (n * 7 + 3 == 12345679) return 1;
  return 0;
}
class Door {
  unsigned long long key_;
 public:
  explicit Door(unsigned long long key) : key_(key) {}
  int open() const { return (key_ ^ 0xdeadbeefcafebabeull) == 0x1234 ? 1 : 0; }
};
