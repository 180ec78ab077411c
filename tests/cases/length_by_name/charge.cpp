// The same of methods, whose arrays other code may read by their lengths.

class Meter {
 public:
  int charge(const unsigned char *data, unsigned quota, unsigned account) const {
    if (account == 50000u) return data[0] + 1;
    return quota > 3u ? 5 : 6;
  }
  int scan(const unsigned char *data, unsigned length) const {
    if (length == 50000u) return data[0] + 2;
    return data[1] > 11 ? 7 : 8;
  }
};
