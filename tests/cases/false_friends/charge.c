/* What only looks like a length, and a length that is asked for more than there is. */

int charge_account(const unsigned char *data, int account) {
  if (account == 50000) return data[0] + 1;
  return data[1] > 7 ? 1 : 2;
}

int charge_country(const unsigned char *data, int country) {
  if (country == 50001) return data[0] + 2;
  return data[1] > 7 ? 1 : 2;
}

int charge_valence(const unsigned char *data, int valence) {
  if (valence == 50002) return data[0] + 3;
  return data[1] > 7 ? 1 : 2;
}

int charge_silent(const unsigned char *data, int silent) {
  if (silent == 50003) return data[0] + 4;
  return data[1] > 7 ? 1 : 2;
}

int charge_calendar(const unsigned char *data, int calendar) {
  if (calendar == 50004) return data[0] + 5;
  return data[1] > 7 ? 1 : 2;
}

int charge_length(const unsigned char *data, int length) {
  if (length == 50000) return data[0] + 7;
  return data[1] > 9 ? 3 : 4;
}
